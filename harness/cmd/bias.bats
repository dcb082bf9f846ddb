#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

needs_a_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"bits":2.0' | grep -q '"result":"int32"' ||
        skip "not on this machine: no kernel of 2 bits in int8 runs here"
}

@test "bias: every factor of every subject, as a table and as JSON Lines" {
    needs_a_kernel
    kept_quiet bias --threads 1 --samples 6
    grep -q '^What a change of layout alone does here$' out
    for factor in nothing addresses stack buffer data pages; do
        grep -qE "^[a-z0-9_.]+ +warm +$factor +[0-9]+ +[0-9.]+% +[0-9.]+% .* 6$" out
    done
    grep -qE ' cold +pages +2 ' out
    grep -qE ' gamma +stack +16 ' out
    [ "$(grep -cE ' gamma +(buffer|pages) ' out)" -eq 0 ]
    kept_quiet bias --threads 1 --samples 6 --json
    lines_have bias subject class factor layout unit levels spread distance noise net
    [ -z "$(grep -v '"factor":"nothing"' out | grep '"net":null')" ]
}

@test "bias: fewer than six samples of a level are no number, and the count says so" {
    needs_a_kernel
    kept_quiet bias --threads 1 --samples 5
    # from memory there are four rounds for one of the others
    [ -z "$(grep -E '^[a-z0-9_]+\.[a-z]' out | grep -v ' cold ' | grep '%')" ]
    [ "$(grep -cE ' - +- +- +- +[1-5]$' out)" -ge 10 ]
    [ "$(grep -cE ' cold .*% +12$' out)" -eq 5 ]
}

@test "bias: the levels on request" {
    needs_a_kernel
    kept_quiet bias --threads 1 --samples 6 --levels
    [ "$(grep -c ' ones and -128 .* cycles .* 6$' out)" -ge 1 ]
    [ "$(grep -cE ' base pages .* (us|cycles) ' out)" -eq 2 ]
}

@test "bias: wrong options" {
    refuses "--samples" bias --samples 0
    refuses "Too many arguments" bias warm
}
