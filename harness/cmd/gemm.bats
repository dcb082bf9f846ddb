#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

# A GEMM kernel of integers that runs here; it may take an ISA that few have.
gemm_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"gemm":true' | grep '"result":"int32"' |
        sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1
}

@test "gemm: cold and warm as JSON Lines, with the model of each sweep" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    kept_quiet gemm "$kernel" --shape 320x1536 --tokens 1,3,16 --threads 1 --samples 8 --cold --warm --json
    lines_have gemm format isa m k n threads protocol time_s ops_per_cycle ops_per_s tokens_per_s bytes_per_s roof_fraction \
        predicted_s residual predicted_overlap_s residual_overlap held_out omega memory_s compute_s level packed_bytes binds \
        memory_roof_ops_per_cycle up_convert_roof_ops_per_cycle multiply_roof_ops_per_cycle multiply_roof above_roof \
        activations result lossless exact error within_bound prepare_s prepare_share prepared_bytes scratch_bytes \
        repack_bytes_per_s bytes_held_twice
    lines_have gemm_model fitted_on fitted_n gamma_dot gamma_up n_star memory_cycles_per_vector multiply_gamma roofs residuals
    quantities_have time_s
    [ "$(grep -c '"type":"gemm".*"protocol":"cold"' out)" -eq 3 ]
    [ "$(grep -c '"type":"gemm".*"protocol":"warm"' out)" -eq 3 ]
    [ "$(grep '"type":"gemm"' out | grep -c '"m":320,"k":1536,"n":3,"threads":1,.*"exact":true')" -eq 2 ]
    [ "$(grep -c '"type":"gemm_model"' out)" -eq 1 ]
    [ "$(grep -c '"type":"prepare".*"k":1536,"n":16' out)" -eq 1 ]
}

@test "gemm: a table, its sweep in order whatever was given, and the terms; saved, and added to" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    kept_quiet gemm "$kernel" --shape 64x256 --tokens 17,2,17 --threads 1 --samples 6 --warm --results saved
    grep -qE "^$kernel +64x256 +1 L[0-9] +2 .* exact" out
    tr '\n' ' ' <out | grep -qE "^here: ${kernel//./\\.}, .* \(64x256 times 17 tokens, warm, 1 thread\)  kernel "
    [ "$(grep -cE "^$kernel .* 1 L[0-9] " out)" -eq 2 ]
    grep -qE "^kernel +shape thr +gamma_dot +dot from" out
    grep -qE "^$kernel +64x256 +1 ( *[0-9.]+ .*-?[0-9.]*|unknown: .*)$" out
    if grep -qE "^$kernel .* cold " out; then false; fi
    records=$(find saved -name records.jsonl)
    grep -q "\"name\":\"gemm/$kernel/64x256/n17/t1/warm\"" "$records"
    [ "$(grep -c '"type":"gemm",' "$records")" -eq 2 ]
    kept_quiet gemm "$kernel" --shape 64x256 --tokens 17,8 --threads 1 --samples 6 --warm --into "$(dirname "$records")"
    [ "$(grep '"type":"gemm",' "$records" | grep -o '"k":256,"n":[0-9]*' | sort -u | wc -l)" -eq 3 ]
    grep -q '"type":"gemm_model"' "$records"
}

@test "gemm: malformed tokens" {
    for tokens in 0 4,x x '' , 4, ,4 4,,8 -1 1.5 65537 '4 8'; do
        refuses "--tokens" gemm --tokens="$tokens"
    done
    refuses "--tokens takes at most 64 numbers" gemm --tokens="$(seq -s, 65)"
}

@test "gemm: what does not exist, has none, or does not fit is named" {
    refuses "no kernel 'int9'; \`kneepoint list kernels\`" gemm int9
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    refuses "no model 'gpt'; \`kneepoint list shapes\`" gemm --model gpt
    without=$("$KNEEPOINT" list kernels --json | grep '"gemm":false' | sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1)
    refuses "$without has no GEMM; GEMM kernels of ${without%%.*}: " gemm "$without"
    alone=$("$KNEEPOINT" list kernels --json | grep '"gemv":false' | sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1)
    [ -z "$alone" ] || refuses "$alone has no GEMV; GEMV kernels of ${alone%%.*}: " gemv "$alone"
    refuses "--shape 64x2147483647: K = 2147483647 is beyond ${kernel%%.*}" gemm "$kernel" --shape 64x2147483647
    refuses "GB may be used; free memory" gemm "$kernel" --shape 400000000x4096
}
