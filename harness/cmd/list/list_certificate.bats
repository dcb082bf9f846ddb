#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# slow: every kernel that runs here, with its largest K

load ../measuring

@test "list kernels --certificate: every kernel that runs here, and nothing wrong" {
    kept_quiet list kernels --certificate
    "$KNEEPOINT" list kernels --json | grep '"runs":true' >kernels
    runs=$(grep -oE '"(gemv|gemm)":true' kernels | wc -l)
    [ "$(grep -cE ' (exact|within bound)$' out)" -eq "$runs" ]
    grep -qE '^kernel +of +ends +saturating +largest_k +tails +random +least ' out
}

@test "list kernels --certificate --json: the same of the first kernels, each as it is done" {
    "$KNEEPOINT" list kernels --certificate --json | head -n 16 >out
    [ "$(wc -l <out)" -eq 16 ]
    grep -q '"product":"gemv"' out
    grep -q '"product":"gemm"' out
    lines_have certificate product format isa verdict reason patterns
    [ "$(grep -cE '"verdict":"(exact|within bound)","reason":null' out)" -eq 16 ]
}

@test "list kernels --certificate NAME: of these alone" {
    kept_quiet list kernels --certificate --json int2_vnni4.mask
    [ "$(wc -l <out)" -eq "$("$KNEEPOINT" list kernels --json int2_vnni4.mask | grep -c '"runs":true')" ]
    [ "$(grep -cv '"name":"int2_vnni4.mask.[a-z0-9_]*","product":"gemv"' out)" -eq 0 ]
    refuses "no kernel 'nothing.at.all'" list kernels --certificate nothing.at.all
}
