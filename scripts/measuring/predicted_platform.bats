#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/predicted_platform with a tool of the test's own: what it writes is a platform file that kneepoint takes.

setup() {
    script=$BATS_TEST_DIRNAME/predicted_platform
    cd "$BATS_TEST_TMPDIR"
    command -v jq >/dev/null || skip "not on this machine: no jq"
    cat >tool <<'END'
#!/bin/sh
echo "$*" >called
[ -e fails ] && { echo "kneepoint gamma: llvm-mca has no model of 'x'" >&2; exit 2; }
echo '{"type":"mca","name":"int2_vnni4.mask.neon_dotprod","bytes_per_vector":8,"mca_gamma":1.25,"mca_cpu":"neoverse-v1","mca_llvm":19}'
echo '{"type":"mca","name":"int4_vnni4.mask.neon_dotprod","bytes_per_vector":16,"mca_gamma":null,"mca_reason":"not understood"}'
echo '{"type":"mca","name":"int2_vnni4.prefix.sve256","isa":"sve256","bytes_per_vector":8,"mca_gamma":0.4,"mca_cpu":"neoverse-v1","mca_llvm":19}'
END
    chmod +x tool
    export KNEEPOINT_AARCH64=$PWD/tool
}

@test "predicted_platform: gammas say that they are predicted, and kneepoint predicts with them" {
    "$script" neoverse-v1 200 64 2.6 int2 int4 >machine.json
    [ "$(cat called)" = "gamma int2 int4 --predict --mca=neoverse-v1 --json" ]
    [ "$(jq -r '.kinds[0].gamma | keys | join(" ")' machine.json)" = int2_vnni4.mask.neon_dotprod ]
    [ "$(jq -r '.kinds[0].gamma[].source' machine.json)" = "llvm-mca (LLVM 19) for neoverse-v1: predicted, not measured" ]
    "$KNEEPOINT" predict --platform=machine.json --json >out
    [ "$(wc -l <out)" -ge 1 ]
    grep -q '"kernel":"int2_vnni4.mask.neon_dotprod"\|int2_vnni4.mask.neon_dotprod' out
}

@test "predicted_platform: bad numbers, failures and missing files get one line" {
    run "$script" neoverse-v1 fast 64 2.6
    [ "$status" -eq 2 ]
    [ "$output" = "predicted_platform: a read bandwidth is a number of GB/s, not 'fast'" ]
    run "$script" neoverse-v1 200 6.4 2.6
    [ "$output" = "predicted_platform: cores are a whole number, not '6.4'" ]
    run "$script" neoverse-v1 200 64 0
    [ "$output" = "predicted_platform: a clock is a number of GHz, not '0'" ]
    run "$script" neoverse-v1
    [[ $output == "predicted_platform: usage: "* ]]
    : >fails
    run "$script" x 200 64 2.6
    [ "$status" -eq 2 ]
    [ "$output" = "predicted_platform: kneepoint gamma: llvm-mca has no model of 'x'" ]
}
