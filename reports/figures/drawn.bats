#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The papers' figures drawn from runs to which made-up cells of their models were added, and figures of records without numbers.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    cd "$BATS_TEST_TMPDIR"
    mkdir run
    cp "$BATS_TEST_DIRNAME/../fixtures/run/"* run
}

# draws FIGURE RUN: into folder figures.
draws() {
    run "$kneepoint" figure "$1" --run "$2" -o figures
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "figures/$1.svg" ]
    grep -q '</svg>' "figures/$1.svg"
}

# shapes_of MODEL: rows and columns of its matrices, a line each.
shapes_of() {
    "$kneepoint" list shapes --json | grep "\"name\":\"$1\"" | sed 's/.*"m":\([0-9]*\),"k":\([0-9]*\).*/\1 \2/'
}

# Products of a model with 1, 8 and 64 tokens, none of which was measured: a core reads 10 GB/s and does 100 Gop/s.
add_products() {
    shapes_of "$1" |
        while read -r m k; do
            for format in q4_0.kneepoint q4_0.llama.cpp q4_0_8x8.llama.cpp q4_0_m16.kneepoint q4_0_4x8.kneepoint q4_0_4x4.kneepoint iq4_nl.kneepoint iq4_nl_m16.kneepoint q2_k.kneepoint cb2_4.x; do
                for threads in 1 2; do
                    awk -v m="$m" -v k="$k" -v t=$threads -v name="${format%%.*}" -v origin="${format#*.}" 'BEGIN {
                        for (n = 1; n <= 64; n *= 8) {
                            bytes = m * k * 4.5 / 8; read_s = bytes / 1e10 / t; work_s = m * k * n / 1e11 / t; s = read_s > work_s ? read_s : work_s
                            if (name ~ /_.*_/) s *= 0.8
                            printf "{\"type\":\"%s\",\"name\":\"%s.x.avx2\",\"format\":\"%s\",\"sequence\":\"x\",\"origin\":\"%s\",", (n > 1 ? "gemm" : "gemv"), name, name, origin
                            printf "\"isa\":\"avx2\",\"bits\":4.5,\"format_bits\":4.5,\"models\":[],\"roles\":[],\"m\":%d,\"k\":%d,\"n\":%d,\"threads\":%d,", m, k, n, t
                            printf "\"protocol\":\"cold\",\"level\":\"memory\",\"packed_bytes\":%d,\"exact\":true,\"above_roof\":false,\"time_s\":", bytes
                            printf "{\"median\":%.8g,\"min\":%.8g,\"mad\":0,\"ci95\":[%.8g,%.8g],\"n\":9,\"rejected\":0,\"unit\":\"s\",\"grade\":\"chain\"}", s, s, s, s
                            printf ",\"bytes_per_s\":null,\"bytes_per_cycle_per_core\":null,\"ops_per_cycle\":null,\"roof_fraction\":null,\"predicted_s\":null,"
                            printf "\"predicted_serial_s\":null,\"overlap\":null,\"residual\":null,\"binds\":null,\"gamma_used\":null,\"ops_per_s\":null,\"tokens_per_s\":null,\"cycles_per_vector\":null}\n"
                        }
                    }'
                done
            done
        done >>run/records.jsonl
}

# Cold cells of a model in the run: of each format this many bytes per microsecond and thread. Nothing of it was measured.
add_cells() {
    shapes_of "$1" |
        while read -r m k; do
            for kernel in f16.dot.kneepoint.16 q4_0.reference.envelope.4.5 tmac2.tmac.bitnet-cpp.2 tq1_0.reference.bitnet-cpp.1.69 \
                tq2_0.reference.bitnet-cpp.2.06 tl1.bitnet_tl1_0.bitnet-cpp.2 tl2.bitnet_tl2_0.bitnet-cpp.1.67 tl2.bytes.kneepoint.1.67 \
                i2_s.bitnet.bitnet-cpp.2 i2_s.mask.kneepoint.2; do
                IFS=. read -r format sequence origin bits <<<"$kernel"
                for threads in 1 2; do
                    awk -v m="$m" -v k="$k" -v bits="$bits" -v t=$threads -v head="\"format\":\"$format\",\"sequence\":\"$sequence\",\"origin\":\"$origin\"" \
                        -v name="$format.$sequence.avx2" -v ours="$origin" 'BEGIN {
                        rate = (ours == "kneepoint" ? 11e9 : 8e9) * t; bytes = m * k * bits / 8
                        printf "{\"type\":\"gemv\",\"name\":\"%s\",%s,\"isa\":\"avx2\",\"bits\":%g,\"format_bits\":%g,", name, head, bits, bits
                        printf "\"models\":[],\"roles\":[],\"m\":%d,\"k\":%d,\"n\":1,\"threads\":%d,\"protocol\":\"cold\",\"level\":\"memory\",", m, k, t
                        printf "\"packed_bytes\":%d,\"exact\":true,\"above_roof\":false,\"predicted_s\":null,\"predicted_serial_s\":null,", bytes
                        printf "\"overlap\":null,\"residual\":null,\"binds\":null,\"gamma_used\":null,\"roof_fraction\":null,\"ops_per_cycle\":null,"
                        split("time_s bytes_per_s bytes_per_cycle_per_core", field, " ")
                        value[1] = bytes / rate; value[2] = rate; value[3] = rate / t / 2.6e9
                        for (i = 1; i <= 3; i++)
                            printf "\"%s\":{\"median\":%.8g,\"min\":%.8g,\"mad\":0,\"ci95\":[%.8g,%.8g],\"n\":9,\"rejected\":0,\"unit\":\"s\",\"grade\":\"chain\"}%s", \
                                field[i], value[i], value[i], value[i], value[i], i < 3 ? "," : "}\n"
                    }'
                done
            done
        done >>run/records.jsonl
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

@test "figure: those of the kernels for Arm are drawn from the products of their models" {
    add_products llama3.2-3b
    echo '{"type":"decode","name":"q4_0.x.avx2","model":"llama3.2-3b","format":"q4_0","origin":"llama.cpp","threads":2,"context":512,"users":8,"tokens_per_s":{"median":4.5}}' \
        >>run/records.jsonl
    echo '{"type":"decode","name":"q4_0_8x8.x.avx2","model":"llama3.2-3b","format":"q4_0_8x8","origin":"llama.cpp","threads":2,"context":512,"layer_bytes":1.5e9,"head_bytes":2e8,"tokens_per_s":{"median":7}}' \
        >>run/records.jsonl
    for figure in arm_1 arm_6 arm_7; do
        draws $figure run
    done
    "$kneepoint" figure arm_1 --column --run run -o column
    grep -q 'viewBox="0 0 500 [0-9]*"' column/arm_1.svg
    grep -qE '^2\.[0-9]+ [0-9.]+ 4\.5 "8" "8 at once, q4_0\.x\.avx2"$' figures/arm_1.dat # a pass of eight users over the bar of its matrices
    grep -q '^2 7 11\.9$' figures/arm_7.dat
    grep -qx 'Stated: arm-kernels-codebooks (kneepoint papers arm-kernels-codebooks)' figures/arm_1.txt
    [ "$(grep -c '^Stated' figures/arm_7.txt)" -eq 0 ]
    # the paper's of one user, and ours of 64 tokens
    grep -q '^5\.5000 2\.775 nan nan "prompt"$' figures/arm_1.dat
    grep -q '^5\.5000 1\.25 1\.25 1\.25 "prompt"$' figures/arm_1.dat
}

@test "figure: of records whose numbers are null every figure is drawn, or says in one line what it lacks" {
    add_products llama3.2-3b
    # those of every third record, as where too few samples were kept
    awk '!/"type":"(machine|end|cell|samples)"/ && ++n % 3 == 0 { gsub(/"(median|min|mad)":[0-9.e+-]+/, "&@"); gsub(/:[0-9.e+-]+@/, ":null"); gsub(/"ci95":\[[^]]*\]/, "\"ci95\":null")
        gsub(/"n":[0-9]+,"rejected"/, "\"n\":3,\"rejected\"")
        sub(/,"halves":\[[^]]*\]/, "") } 1' run/records.jsonl >nulls && mv nulls run/records.jsonl
    [ "$(grep -c '"median":null' run/records.jsonl)" -gt 100 ]
    figures=$("$kneepoint" list figures | sed '1d; s/ .*//')
    "$kneepoint" figure $figures --run run -o figures >said 2>failed || [ "$?" -eq 2 ]
    if grep gnuplot failed; then return 1; fi
    drawn=$(wc -l <said)
    [ "$((drawn + $(wc -l <failed)))" -eq "$(wc -w <<<"$figures")" ]
    [ "$drawn" -ge 12 ] || { echo "$drawn figures"; return 1; }
}

@test "figure: those of bitnet.cpp are drawn from the cells of its models" {
    add_cells bitnet-700m
    add_cells bitnet-3.8b
    for figure in bitnet_1_7 bitnet_8 bitnet_10 bitnet_ratios; do
        draws $figure run
        (cd figures && gnuplot $figure.gp)
    done
    # 8 GB/s and thread of 2 bits are 6.25 times 11 of 16 bits but for the head: I2_S over Float16 is below 5.82
    grep -q '^3 5\.[0-9]* ' figures/bitnet_ratios.dat
    grep -q 'a pale bar is the bound that GEMVs set' figures/bitnet_1_7.txt
}

@test "figure: the potential of look-up tables needs their gamma only" {
    awk 'BEGIN { q = "{\"median\":2.2,\"min\":2.2,\"mad\":0,\"ci95\":[2.2,2.2],\"n\":9,\"rejected\":0,\"unit\":\"cycles\",\"grade\":\"chain\"}"
        printf "{\"type\":\"gamma\",\"name\":\"tl2.bitnet_tl2_0.avx2\",\"isa\":\"avx2\",\"format\":\"tl2\",\"sequence\":\"bitnet_tl2_0\",\"origin\":\"bitnet-cpp\","
        printf "\"accumulators\":4,\"bytes_per_vector\":6.67,\"uops_per_vector\":9,\"gamma\":%s,\"bound\":\"ports\",\"latency_gamma\":1,", q
        printf "\"uops_per_cycle\":4,\"claimed\":null,\"usable\":true,\"best\":true,\"knee\":3.03,\"exact\":true,\"format_bits\":1.667}\n" }' >>run/records.jsonl
    run "$kneepoint" figure bitnet_9 --run run -o figures
    echo "$output"
    [ "$status" -eq 0 ]
    grep -q '</svg>' figures/bitnet_9.svg
    grep -q '^Modelled: Apple M2 Ultra' figures/bitnet_9.txt
    run "$kneepoint" figure bitnet_9 --run run --platform arl -o figures
    [ "$status" -eq 0 ]
    run "$kneepoint" figure bitnet_9 --column --run run -o column
    [ "$status" -eq 0 ]
    grep -q 'viewBox="0 0 500 [0-9]*"' column/bitnet_9.svg
}

@test "figure: without those cells one line names the command that measures them" {
    for figure in bitnet_1_7 bitnet_8 bitnet_9 bitnet_10 bitnet_ratios; do
        run "$kneepoint" figure $figure --run run -o figures
        echo "$output"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ $output == *"figure $figure: run holds no "*"; \`kneepoint gemv --cold --model=bitnet-"*" measures it" ]]
        [ ! -e figures/$figure.svg ]
    done
}

@test "figure: those of the mixed 2/4/16-bit family are drawn, wide and for a column" {
    write_records 0
    for figure in mixed_4 mixed_6 mixed_8 mixed_9 mixed_10 mixed_t3 mixed_t4; do
        draws $figure records.jsonl
        "$kneepoint" figure $figure --column --run records.jsonl -o column
        grep -q 'viewBox="0 0 500 [0-9]*"' column/$figure.svg
    done
}
