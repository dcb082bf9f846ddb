#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring
load comparing

@test "baseline: saved, listed, shown and compared with" {
    stored_run results/runs/cpu/20260101T000000Z-1
    kept_quiet baseline save main
    [ "$(cat out)" = results/baselines/main.json ]
    kept_quiet baseline save v1.2 results/runs/cpu/20260101T000000Z-1
    kept_quiet baseline list
    [ "$(wc -l <out)" -eq 3 ]
    grep -qE '^main +2026-01-01T00:00:00Z +3 +11 processes +0123456789ab +Test CPU$' out
    kept_quiet baseline show main
    grep -qE '^gamma/synthetic.step.avx2 +core +1\.2[0-9]* cycles +0\.[0-9]+% +55 +11$' out
    grep -q 'host here, kernel 6.1, quiet' out
    stored_run head seed=2 slow=1.05
    ends_with 3 compare main head
    grep -q 'suspected' out
    ends_with 3 compare results/baselines/main.json head
    stored_run same seed=3
    ends_with 0 compare main same
    grep -q '^main -> same$' out
}

@test "baseline: one cell a line, sorted, the same bytes for the same run" {
    stored_run run
    "$KNEEPOINT" baseline save a run
    "$KNEEPOINT" baseline save b run
    [ "$(grep -c '^    {"name":"' results/baselines/a.json)" -eq 3 ]
    grep '^    {"name":"' results/baselines/a.json | sort -c
    diff <(grep -v '"name": "a"' results/baselines/a.json) <(grep -v '"name": "b"' results/baselines/b.json)
    if command -v jq >/dev/null; then jq -e '.cells | length == 3' results/baselines/a.json; fi
}

@test "baseline: records" {
    stored_run run
    kept_quiet baseline save main run --json
    lines_have baseline path
    kept_quiet baseline list --json
    lines_have baseline cpu hostname started revision cells blocks replicate
    kept_quiet baseline show main --json
    lines_have baseline cells
    lines_have baseline_cell class unit median mad n blocks
}

@test "baseline: fewer than six samples give no numbers" {
    stored_run run blocks=1
    "$KNEEPOINT" baseline save few run 2>err >out
    kept_quiet baseline show few
    grep -qE '^gamma/synthetic.step.avx2 +core +not enough +5 +1$' out
    [ "$(grep -cE '(cycles|us) +[0-9.]+%' out)" -eq 0 ]
    kept_quiet baseline show few --json
    [ "$(grep -c '"median":null,"mad":null,"n":5,"blocks":1,"reason":"fewer than 6 kept samples"' out)" -eq 3 ]
}

@test "baseline: an existing one is overwritten only with --replace" {
    stored_run run
    "$KNEEPOINT" baseline save main run
    refuses "results/baselines/main.json exists; --replace overwrites it" baseline save main run
    kept_quiet baseline save main run --replace
}

@test "baseline: wrong and unknown names, wrong actions" {
    stored_run run
    for name in ../main .main -- 'a b' a/b; do
        [ "$name" = -- ] || refuses "cannot name a baseline" baseline save "$name" run
    done
    refuses "no baseline 'main', nor any other in results/baselines" baseline show main
    refuses "no run below results" baseline save main
    refuses "no run at no/where" baseline save main no/where
    refuses "say save, list or show" baseline
    refuses "say save, list or show, not drop" baseline drop main
    refuses "save needs the name of a baseline" baseline save
    refuses "show needs the name" baseline show
    refuses "list takes no 'main'" baseline list main
    refuses "show takes no 'run'" baseline show main run
    refuses "--replace goes with save only" baseline list --replace
    refuses "save takes NAME and RUN only, not also 'x'" baseline save main run x
    "$KNEEPOINT" baseline save main run >saved
    refuses "no baseline 'mian' in results/baselines; there are main" baseline show mian
}

@test "baseline: none is an empty list, not an error" {
    ends_with 0 baseline list
    [ ! -s out ]
    grep -q 'no baselines in results/baselines' err
}

@test "baseline: a damaged one is named, and the others are listed" {
    stored_run run
    "$KNEEPOINT" baseline save a run
    "$KNEEPOINT" baseline save b run
    echo '{"kneepoint_baseline": 1, "cells": [' >results/baselines/a.json
    ends_with 2 baseline list
    grep -q 'results/baselines/a.json line' err
    grep -q '^b ' out
    refuses "results/baselines/a.json line" compare a run
}

@test "baseline: a folder that cannot be written is refused, and nothing is left" {
    stored_run run
    : >results
    refuses "results" baseline save main run
    rm results
    mkdir results
    [ "$(id -u)" -eq 0 ] && skip "not on this machine: root may write everywhere"
    chmod a-w results
    refuses "cannot write" baseline save main run
    chmod u+w results
}

@test "baseline: visits of one process are kept as what they are" {
    stored_run run blocks=1 visits=8
    ends_with 0 baseline save main run
    grep -q 'was measured in fewer than 4 processes, so its visits serve as blocks, which is weaker evidence' err
    kept_quiet baseline show main
    grep -q ' 8 visits ' out
}
