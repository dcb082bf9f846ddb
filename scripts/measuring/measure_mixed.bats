#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/measure_mixed: the commands that it would run, and one run of a stand-in for the program. Nothing is measured.

load one_run

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/measure_mixed
    TOOL=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

@test "measure_mixed: --print shows the commands; the formats are known, and each size of weights is there once" {
    KNEEPOINT=$TOOL "$SCRIPT" --print somewhere >commands
    [ "$(wc -l <commands)" -eq 6 ]
    [ "$(grep -c -- ' --results=somewhere ' commands)" -eq 1 ]
    [ "$(grep -c -- ' --into=RUN ' commands)" -eq 5 ]
    { ls "$BATS_TEST_DIRNAME/../../micro/formats"; awk 'NF && !/^#/ { print $1 }' "$BATS_TEST_DIRNAME"/../../micro/*/*/formats.def; } | sort >known
    sed 's/[.][a-z_]*//g' commands | grep -oE ' [a-z][a-z0-9_]*' | tr -d ' ' | grep -vxE 'gemv|decode|quantize' | sort -u >asked
    [ "$(wc -l <asked)" -ge 5 ]
    comm -23 asked known >unknown
    [ ! -s unknown ]
    sed -n 3p commands | grep -oE -- '--shape=[0-9x]+' >shapes
    [ "$(wc -l <shapes)" -eq "$(sort -u shapes | wc -l)" ]
    grep -qx -- --shape=28672x8192 shapes
    [ "$(grep -c 32000x shapes)" -eq 0 ]
    sed -n 4p commands | grep -q -- ' --shape=65024x4096 f16$'
    grep -q -- ' decode .* --context=512,4096 f16 mixed24_o02.outliers_fused$' commands
    tail -n 1 commands | grep -q -- ' quantize --into=RUN --mixed$' # matrices for their ranges, and a stack
}

@test "measure_mixed: the first command makes the run that all others go into" {
    makes_one_run
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_mixed: unknown option '--all'"* ]]
}
