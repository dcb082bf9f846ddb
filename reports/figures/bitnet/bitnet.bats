#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The figures of bitnet.cpp drawn from a run to which cells of its models were added.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    cd "$BATS_TEST_TMPDIR"
    mkdir run
    cp "$BATS_TEST_DIRNAME/../../fixtures/run/"* run
}

# Cold cells of a model in the run: of each format this many bytes per microsecond and thread. Nothing of it was measured.
add_model() {
    "$kneepoint" list shapes --json | grep "\"name\":\"$1\"" | sed 's/.*"m":\([0-9]*\),"k":\([0-9]*\).*/\1 \2/' |
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

@test "figure: those of bitnet.cpp are drawn from the cells of its models" {
    add_model bitnet-700m
    add_model bitnet-3.8b
    for figure in bitnet_1_7 bitnet_8 bitnet_10 bitnet_ratios; do
        run "$kneepoint" figure $figure --run run -o figures
        echo "$output"
        [ "$status" -eq 0 ]
        [ "$output" = figures/$figure.svg ]
        grep -q '</svg>' figures/$figure.svg
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
