#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The figures of the kernels for Arm CPUs, and figures of records without numbers.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../../build/kneepoint-steady}
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    cd "$BATS_TEST_TMPDIR"
    mkdir run
    cp "$BATS_TEST_DIRNAME/../../fixtures/run/"* run
}

# Products of a model with 1, 8 and 64 tokens, none of which was measured: a core reads 10 GB/s and does 100 Gop/s.
add_model() {
    "$kneepoint" list shapes --json | grep "\"name\":\"$1\"" | sed 's/.*"m":\([0-9]*\),"k":\([0-9]*\).*/\1 \2/' |
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

@test "figure: those of the kernels for Arm are drawn from the products of their models" {
    add_model llama3.2-3b
    echo '{"type":"decode","name":"q4_0.x.avx2","model":"llama3.2-3b","format":"q4_0","origin":"llama.cpp","threads":2,"context":512,"users":8,"tokens_per_s":{"median":4.5}}' \
        >>run/records.jsonl
    echo '{"type":"decode","name":"q4_0_8x8.x.avx2","model":"llama3.2-3b","format":"q4_0_8x8","origin":"llama.cpp","threads":2,"context":512,"layer_bytes":1.5e9,"head_bytes":2e8,"tokens_per_s":{"median":7}}' \
        >>run/records.jsonl
    for figure in arm_1 arm_6 arm_7; do
        run "$kneepoint" figure $figure --run run -o figures
        echo "$output"
        [ "$status" -eq 0 ]
        [ "$output" = figures/$figure.svg ]
        grep -q '</svg>' figures/$figure.svg
    done
    "$kneepoint" figure arm_1 --column --run run -o column
    grep -q 'viewBox="0 0 500 [0-9]*"' column/arm_1.svg
    grep -qE '^2\.[0-9]+ [0-9.]+ 4\.5 "8" "8 at once, q4_0\.x\.avx2"$' figures/arm_1.dat # a pass of eight users over the bar of its matrices
    grep -q '^2 7 11\.9$' figures/arm_7.dat
    # the paper's of one user, and ours of 64 tokens
    grep -q '^5\.5000 2\.775 nan nan "prompt"$' figures/arm_1.dat
    grep -q '^5\.5000 1\.25 1\.25 1\.25 "prompt"$' figures/arm_1.dat
}

@test "figure: of records whose numbers are null every figure is drawn, or says in one line what it lacks" {
    add_model llama3.2-3b
    # those of every third record, as where too few samples were kept
    awk '!/"type":"(machine|end|cell|samples)"/ && ++n % 3 == 0 { gsub(/"(median|min|mad)":[0-9.e+-]+/, "&@"); gsub(/:[0-9.e+-]+@/, ":null"); gsub(/"ci95":\[[^]]*\]/, "\"ci95\":null")
        gsub(/"n":[0-9]+,"rejected"/, "\"n\":3,\"rejected\"")
        sub(/,"halves":\[[^]]*\]/, "") } 1' run/records.jsonl >nulls && mv nulls run/records.jsonl
    [ "$(grep -c '"median":null' run/records.jsonl)" -gt 100 ]
    drawn=0
    for figure in $("$kneepoint" list figures | sed 's/ .*//'); do
        run "$kneepoint" figure "$figure" --run run -o figures
        [[ $status -le 2 && $output != *gnuplot* && ${#lines[@]} -eq 1 ]] || { echo "$figure: $output"; return 1; }
        drawn=$((drawn + (status == 0)))
    done
    [ "$drawn" -ge 12 ] || { echo "$drawn figures"; return 1; }
}
