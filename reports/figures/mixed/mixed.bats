#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The figures of the mixed 2/4/16-bit family drawn.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    cd "$BATS_TEST_TMPDIR"
}

# Made-up records: a core reads 10 GB/s.
write_records() {
    awk -v every="$1" '
        function quantity(value, unit) {
            if (every && ++count % every == 0)
                return sprintf("{\"median\":null,\"min\":null,\"mad\":null,\"ci95\":null,\"n\":3,\"rejected\":0,\"unit\":\"%s\",\"grade\":\"wall\",\"why\":\"3 kept, 6 needed\"}", unit)
            return sprintf("{\"median\":%g,\"min\":%g,\"mad\":0,\"ci95\":[%g,%g],\"n\":9,\"rejected\":0,\"unit\":\"%s\",\"grade\":\"chain\"}", value, value, 0.9 * value, 1.1 * value, unit)
        }
        function gemv(format, sequence, bits, m, k) {
            for (t = 1; t <= 2; t++)
                printf "{\"type\":\"gemv\",\"name\":\"%s.%s.avx2\",\"format\":\"%s\",\"sequence\":\"%s\",\"origin\":\"kneepoint\",\"isa\":\"avx2\",\"bits\":%g,\"format_bits\":%g,\"m\":%d,\"k\":%d,\"n\":1,\"threads\":%d,\"protocol\":\"cold\",\"exact\":true,\"packed_bytes\":%d,\"time_s\":%s,\"bytes_per_s\":null}\n", format, sequence, format, sequence, bits, bits, m, k, t, m * k * bits / 8, quantity(m * k * bits / 8e10 / t, "s")
        }
        BEGIN {
            split("4096 11008 4096", rows); split("4096 4096 11008", columns)
            for (i = 1; i <= 3; i++) {
                gemv("f16", "dot", 16, rows[i], columns[i]); gemv("q4_0", "rows", 4.5, rows[i], columns[i])
                gemv("mixed24", "lanes", 2.85, rows[i], columns[i]); gemv("mixed24_o02", "outliers_fused", 2.91, rows[i], columns[i])
            }
            gemv("mixed24_o05", "outliers_after", 3, 4096, 4096); gemv("mixed24_o15", "outliers_fused", 3.3, 4096, 4096)
            gemv("f16", "dot", 16, 32000, 4096); gemv("mixed24", "buffered", 2.85, 4096, 4096); gemv("mixed24", "fused", 2.85, 4096, 4096)
            split("buffered fused overlapped", orders)
            for (i = 1; i <= 3; i++)
                printf "{\"type\":\"gamma\",\"name\":\"mixed24.%s.avx2\",\"format\":\"mixed24\",\"sequence\":\"%s\",\"isa\":\"avx2\",\"origin\":\"mixed-2-4-16\",\"accumulators\":1,\"usable\":true,\"best\":true,\"bytes_per_vector\":11.4,\"gamma\":%s}\n", orders[i], orders[i], quantity(10 / i, "cycle")
            split("within first_layers best_layers", methods)
            for (i = 1; i <= 3; i++)
                printf "{\"type\":\"mixed\",\"name\":\"mixed/stack/%s/0.25/0/0\",\"weights\":\"stack\",\"method\":\"%s\",\"four_bit\":0.25,\"outliers\":0.0,\"outliers_of\":\"2-bit groups\",\"error_feedback\":false,\"layers\":20,\"bits\":2.85,\"weighted_error\":0.1,\"output_error\":%g,\"db_per_bit\":3.7,\"spread\":0.0}\n", methods[i], methods[i], i / 20
            printf "{\"type\":\"mixed\",\"name\":\"mixed/laplace/within/0/0\",\"weights\":\"laplace\",\"ranges\":[{\"share\":0.5,\"rows\":1,\"columns\":1},{\"share\":1,\"rows\":2.7,\"columns\":1.1}]}\n"
            split("f16 mixed24_o02", formats)
            split("dot outliers_fused", sequences)
            for (i = 1; i <= 2; i++)
                printf "{\"type\":\"decode\",\"name\":\"%s.%s.avx2\",\"model\":\"llama2-7b\",\"format\":\"%s\",\"sequence\":\"%s\",\"origin\":\"kneepoint\",\"head_format\":\"f16\",\"threads\":2,\"context\":512,\"tokens_per_s\":%s,\"time_s\":%s,\"parts\":[{\"part\":\"attention\",\"share\":%s}]}\n", formats[i], sequences[i], formats[i], sequences[i], quantity(i, "token/s"), quantity(1 / i, "s"), quantity(0.1 * i, "1")
        }' >records.jsonl
}

@test "figure: those of the mixed 2/4/16-bit family are drawn, wide and for a column" {
    write_records 0
    for figure in mixed_4 mixed_6 mixed_8 mixed_9 mixed_10 mixed_t3 mixed_t4; do
        run "$kneepoint" figure $figure --run records.jsonl -o figures
        echo "$output"
        [ "$output" = figures/$figure.svg ]
        grep -q '</svg>' figures/$figure.svg
        "$kneepoint" figure $figure --column --run records.jsonl -o column
        grep -q 'viewBox="0 0 500 [0-9]*"' column/$figure.svg
    done
}
