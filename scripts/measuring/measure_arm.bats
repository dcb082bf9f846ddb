#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/measure_arm: the commands that it would run, and one run of a stand-in for the program. Nothing is measured.

load one_run

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/measure_arm
    TOOL=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

@test "measure_arm: --print shows the commands; the formats are known, and a prompt has no output head" {
    KNEEPOINT=$TOOL "$SCRIPT" --print somewhere >commands 2>said
    grep -qE '^measure_arm: about [0-9]+ min on two cores' said
    [ "$(wc -l <commands)" -eq 18 ]
    head -n 1 commands | grep -q ' gemv --results=somewhere --cold --best --model=llama3.2-3b q4_0 '
    [ "$(grep -c -- ' --into=RUN ' commands)" -eq 17 ]
    "$TOOL" list kernels --json | jq -r .format | sort -u >known
    sed 's/[.][a-z0-9_]*[.][a-z0-9_]*//g' commands | grep -oE ' [a-z][a-z0-9_]*' | tr -d ' ' | grep -vxE 'gemv|gemm|decode' | sort -u >asked
    [ "$(wc -l <asked)" -ge 10 ]
    comm -23 asked known >unknown
    [ ! -s unknown ]
    [ "$(grep -c -- --tokens=128 commands)" -eq 3 ]
    [ "$(grep -- --tokens=128 commands | grep -c 128256)" -eq 0 ]
    grep -q -- ' --tokens=4,8 --shape=128256x4096 ' commands
    KNEEPOINT=$TOOL "$SCRIPT" --print --into=here --model=llama3.2-1b >commands 2>less
    [ "$(wc -l <commands)" -eq 2 ]
    [ "$(grep -c -- ' --into=here ' commands)" -eq 2 ]
    [ "$(grep -oE '[0-9]+ min' less | tr -dc 0-9)" -lt "$(grep -oE '[0-9]+ min' said | tr -dc 0-9)" ]
}

@test "measure_arm: passes of one user, of several and of a prompt, with what others published and runs here" {
    KNEEPOINT=$TOOL "$SCRIPT" --print --model=llama3-8b 2>said | grep ' decode ' >commands
    [ "$(grep -c -- ' --head=same --model=llama3-8b ' commands)" -eq 3 ]
    [ "$(grep -c -- ' --users=4,8,16,32 ' commands)" -eq 1 ]
    [ "$(grep -c -- ' --prefill=128 ' commands)" -eq 1 ]
    "$TOOL" list kernels --json | jq -r 'select(.runs and .gemm and .origin == "llama.cpp" and .format == "q4_0") | .name' >rows
    [ -s rows ]
    for name in $(cat rows); do
        [ "$(grep -c -- " $name\( \|$\)" commands)" -eq 3 ]
    done
    # a pass needs one of a gemv, and batches and prompts one of a gemm
    for product in gemv gemm; do
        "$TOOL" list kernels --json | jq -r "select(.$product | not) | .name" | sort -u >without
        grep -v -- "--users\|--prefill" commands >asked
        [ $product = gemv ] || grep -- "--users\|--prefill" commands >asked
        grep -oE '[a-z0-9_]+[.][a-z0-9_]+[.][a-z0-9_]+' asked | sort -u | comm -12 - without >unfit
        [ ! -s unfit ]
    done
}

@test "measure_arm: the first command makes the run that all others go into" {
    makes_one_run
}

@test "measure_arm: what it does not know, and a measurement that fails, end it" {
    for option in --all --model=gpt; do
        KNEEPOINT=$TOOL run "$SCRIPT" $option
        [ "$status" -eq 2 ]
        [[ $output == "measure_arm: unknown option '$option'"* ]]
    done
    KNEEPOINT=/nowhere run "$SCRIPT"
    [ "$status" -eq 2 ]
    [[ $output == *"no /nowhere; make builds it" ]]
    printf '#!/bin/sh\n[ "$1" != list ] || exec "%s" "$@"\nexit 2\n' "$TOOL" >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -ne 0 ]
}
