#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/measure_bit_serial: the commands that it would run, and one run of a stand-in for the program. Nothing is measured.

load one_run

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/measure_bit_serial
    TOOL=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

@test "measure_bit_serial: --print shows the commands, whose kernels all run here, each size of weights once" {
    KNEEPOINT=$TOOL "$SCRIPT" --print --models somewhere >commands 2>said
    grep -qE '^measure_bit_serial: about [0-9]+ min on two cores' said
    [ "$(wc -l <commands)" -ge 7 ]
    head -n 1 commands | grep -q ' gemv --results=somewhere --threads=1 --cold --shape=4096x4096 w1\.'
    [ "$(grep -c -- --results= commands)" -eq 1 ]
    [ "$(grep -c -- --into=RUN commands)" -eq $(($(wc -l <commands) - 1)) ]
    for command in gemv gemm; do
        "$TOOL" list kernels --json | jq -r "select(.runs and .$command).name" | sort >able
        grep " $command " commands | grep -oE ' [a-z0-9_]+\.[a-z0-9_]+\.[a-z0-9_]+' | tr -d ' ' | sort -u >asked
        [ -s asked ]
        comm -23 asked able >unable
        [ ! -s unable ]
    done
    grep -q ' int8_vnni4\.tile\.' commands
    grep -q ' --shape=18944x3584 ' commands
    [ "$(grep -c 128256 commands)" -eq 0 ] # no output head
    for model in llama3-8b qwen2.5-7b; do # passes of the models of apt_13 that have them
        grep " decode .* --model=$model " commands >passes
        [ "$(grep -c -- ' --prefill=64 ' passes)" -eq 1 ]
        [ "$(grep -c ' w2\.a2_.* int4_vnni4\..*f16\.' passes)" -eq 2 ]
        [ "$(grep -c ' int1_' passes)" -eq 0 ]
    done
    KNEEPOINT=$TOOL "$SCRIPT" --print >commands 2>less
    [ "$(grep -cE '18944|decode' commands)" -eq 0 ]
    [ "$(grep -oE '[0-9]+ min' less | tr -dc 0-9)" -lt "$(grep -oE '[0-9]+ min' said | tr -dc 0-9)" ]
}

@test "measure_bit_serial: the first command makes the run that all others go into" {
    makes_one_run
}

@test "measure_bit_serial: what it does not know, and a measurement that fails, end it" {
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_bit_serial: unknown option '--all'"* ]]
    KNEEPOINT=/nowhere run "$SCRIPT"
    [ "$status" -eq 2 ]
    [[ $output == *"no /nowhere; make builds it" ]]
    printf '#!/bin/sh\n[ "$1" != list ] || exec "%s" "$@"\nexit 2\n' "$TOOL" >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -ne 0 ]
}
