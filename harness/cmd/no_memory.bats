#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What finds no memory ends in one line and exit code 2.

load measuring

# no_memory COMMAND...: in 700 MB of addresses, which the tool fits into and what it asks for does not.
no_memory() {
    case $KNEEPOINT in */san/*) skip "not on this machine: a sanitizer needs the address space" ;; esac
    "$KNEEPOINT" list kernels --format=int2_vnni4 --json | grep -q '"runs":true' || skip "not on this machine: no kernel runs here"
    ulimit -v 700000
    refuses " GB " "$@" # how much, of what there is
    grep -qF "free memory, raise the cgroup limit" err
}

@test "gemv says that there is no memory for its pool" {
    no_memory gemv int2_vnni4 --shape=60000x60000 --threads=1
}

# One kernel: before the pool each GEMM of the format would have its gammas measured.
@test "gemm says that there is no memory for its pool" {
    local kernel
    kernel=$("$KNEEPOINT" list kernels --format=int2_vnni4 --json | jq -rs 'map(select(.runs and .gemm))[0].name // "int2_vnni4"')
    no_memory gemm "$kernel" --shape=60000x60000 --threads=1
}

@test "decode says that there is no memory for its weights" {
    no_memory decode int2_vnni4 --threads=1
}
