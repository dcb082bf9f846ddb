#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# slow: every kernel that runs here, with its largest K

load measuring

@test "list kernels --certificate: every kernel that runs here, and nothing wrong" {
    kept_quiet list kernels --certificate
    "$KNEEPOINT" list kernels --json | grep '"runs":true' >kernels
    runs=$(grep -oE '"(gemv|gemm)":true' kernels | wc -l)
    [ "$(grep -cE ' (exact|within bound)$' out)" -eq "$runs" ]
    grep -q '^kernel .* ends  saturating   largest_k       tails      random       least ' out
    kept_quiet list kernels --certificate --json
    [ "$(wc -l <out)" -eq "$runs" ]
    lines_have certificate product format isa verdict reason patterns
    [ "$(grep -cE '"verdict":"(exact|within bound)","reason":null' out)" -eq "$runs" ]
}
