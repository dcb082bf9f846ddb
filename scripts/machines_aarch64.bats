#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The aarch64 machines of platforms/emulated that show most: an emulated PMU counts each instruction.

load machines

@test "machines: instructions are counted exactly by system call, by user access and by PAPI" {
    check cortex-a57
}

@test "machines: gamma of sequences with dot products is their instructions; others hold the counters" {
    check neoverse-n1
}
