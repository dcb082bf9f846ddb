#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# --results and --into of the commands that measure, beside those of gemv, gemm, terms and decode in their own files.

load ../measuring

# saves COMMAND...: a new run with samples, summaries of its kind and an end; in $run.
saves() {
    rm -rf kept
    kept_quiet "$@" --results kept
    run=$(sed -n 's/^saved: //p' out | tail -n 1)
    [ -s "$run/meta.json" ]
    cp "$run/records.jsonl" out
    lines_have machine cpu
    lines_have samples tsc_hz
    lines_have end interrupted
    tail -n 1 out | grep -q "^{\"type\":\"end\",\"name\":\"$1\",.*\"interrupted\":false,"
}

@test "--results: beta, its latency, gamma, bias and tune save a run, and --into adds to it" {
    kernel=$(exact_kernel) sequence=$(one_that_runs sequences)
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
    saves gamma "$sequence"
    lines_have gamma gamma
    saves bias --samples 2
    lines_have bias levels
    saves tune "$kernel" --shape 64x1024 --tokens 1 --budget 2 --threads 1 --out table
    saves beta --latency --level L1 --threads 1
    lines_have latency latency_s
    saves beta --level L1 --threads 1
    lines_have beta bytes_per_s
    kept_quiet gamma "$sequence" --into "$run"
    cp "$run/records.jsonl" out
    lines_have gamma gamma
    refuses "choose one" beta --results a --into b
    refuses "no run at nowhere" knee --into nowhere "$sequence"
}

@test "--results: knee saves what its figure draws" {
    command -v gnuplot >/dev/null || skip "not on this machine: gnuplot"
    sequence_or_skip
    saves knee "$sequence" --level L1 --threads 1
    lines_have knee e_bw
    kept_quiet figure knee_validation --run "$run" --output drawn
    ls -R drawn* | grep -q knee_validation
}
