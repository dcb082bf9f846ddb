#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/measure_papers: the commands that it would run, and one run of a stand-in for the program. Nothing is measured.

load one_run

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/measure_papers
    TOOL=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

@test "measure_papers: says how long it takes; the first command makes the run; formats, models and commands are known" {
    KNEEPOINT=$TOOL "$SCRIPT" --print somewhere >commands 2>said
    grep -qE '^measure_papers: about [0-9]+ min on two cores' said
    head -n 1 commands | grep -q ' characterize --results=somewhere '
    [ "$(tail -n +2 commands | grep -v ' tune ' | grep -vc -- ' --into=RUN')" -eq 0 ]
    "$TOOL" list shapes | awk '{ print $1 }' | sort -u >models
    grep -oE -- '--model=[a-z0-9.-]+' commands | cut -d= -f2 | sort -u | comm -23 - models >unknown
    [ ! -s unknown ]
    { ls "$BATS_TEST_DIRNAME/../../micro/formats"; awk 'NF && !/^#/ { print $1 }' "$BATS_TEST_DIRNAME"/../../micro/*/*/formats.def; } | sort >known
    grep -v measure_ commands | grep -oE ' [a-z][a-z0-9_]*( |$)' | tr -d ' ' | grep -vxE 'gemv|gemm|decode|quantize|tune|knee|characterize|w[123]|elut' |
        sort -u >asked
    [ "$(wc -l <asked)" -ge 15 ]
    comm -23 asked known >unknown
    cat unknown
    [ ! -s unknown ]
}

@test "measure_papers: a part alone, into a run that is there" {
    KNEEPOINT=$TOOL "$SCRIPT" --print --into=here --only=planes --only=context >commands 2>said
    [ "$(grep -c -- ' decode --into=here --model=' commands)" -eq 1 ]
    [ "$(grep -vc -- ' --into=here ' commands)" -eq 0 ]
    grep -q -- ' w1.a2_' commands
    KNEEPOINT=$TOOL "$SCRIPT" --print 2>all >whole
    [ "$(wc -l <whole)" -gt "$(wc -l <commands)" ]
    [ "$(grep -oE '[0-9]+' said | head -n 1)" -lt "$(grep -oE '[0-9]+' all | head -n 1)" ]
}

@test "measure_papers: the first command makes the run that all others go into, whatever part it begins with" {
    makes_one_run characterize
    for script in measure_arm measure_bit_serial measure_mixed; do
        KNEEPOINT=$TOOL "$BATS_TEST_DIRNAME/$script" --print --into=here | head -n 1 >first
        grep -qF -- "$(sed 's/.* --into=here //; s/ .*//' first)" asked
    done
    : >asked
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" --only=mixed elsewhere >made
    [ "$(cat made)" = results/runs/here/1 ]
    head -n 1 asked | grep -q '^gemv --results=elsewhere '
    : >asked
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" --only=tune --into=results/runs/here/1 >made
    grep -q '^tune .* --out=results/tuning/here.json w1 w2 w3$' asked
}

@test "measure_papers: what it does not know, and a measurement that fails, end it" {
    for option in --all --only=nothing; do
        KNEEPOINT=$TOOL run "$SCRIPT" $option
        [ "$status" -eq 2 ]
        [[ $output == "measure_papers: unknown option '$option'; there are --print, --into=RUN and --only=machine"* ]]
    done
    printf '#!/bin/sh\n[ "$1" != list ] || exec "%s" "$@"\n[ "$1" != knee ] || exit 3\necho results/runs/here/1\n' "$TOOL" >kneepoint
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -eq 3 ]
}
