#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

@test "terms: of the read stream, as a table and as JSON Lines" {
    kernel_or_skip
    kept_quiet terms --threads 1 --samples 2
    [ "$(grep -c '^streams ' out)" -ge 3 ]
    [ "$(grep -c '^prefetch .*t1+1024 ' out)" -ge 1 ]
    # 2 samples are no number
    if grep -E '^(streams|prefetch|pages) .* [0-9]+\.[0-9]' out; then false; fi
    kept_quiet terms --threads 1 --samples 8 --json
    [ -z "$(grep '^{"type":"term"' out | grep -v '"subject":"read\.')" ]
    grep -v '^{"type":"skipped"' out >kept && mv kept out
    lines_have term term subject variant threads without with without_s with_s difference_s change event
    quantities_have difference_s
}

@test "terms: of a kernel, saved in a run that says what it is" {
    kernel_or_skip
    kept_quiet terms "$kernel" --threads 1 --samples 2 --shape 512x4096 --results here
    grep -q "^panel_end *$kernel" out
    grep -q "^prefetch *$kernel *+0 " out
    run=$(sed -n 's/^saved: //p' out)
    grep -q '"type":"samples","name":"term/panel_end/' "$run/records.jsonl"
    grep -q '"type":"term","name":"panel_end/' "$run/records.jsonl"
    tail -n 1 "$run/records.jsonl" | grep -q '"type":"end","name":"terms"'
}

@test "terms: if no sample is kept, there is no number, and the cause is printed once, or for the kernel" {
    kernel_or_skip
    keeps_none "terms: no sample was kept: " terms --threads 1 --samples 2
    if grep -E '^(streams|prefetch|pages) .* [0-9]+\.[0-9]' out; then false; fi
    keeps_none "terms: $kernel: no sample was kept: " terms "$kernel" --threads 1 --samples 6 --shape 64x4096 --json
    no_number without_s with_s difference_s
}

@test "terms: what cannot be measured" {
    refuses "no kernel 'int9'; \`kneepoint list kernels\` shows them" terms int9
    refuses "--shape takes MxK such as 4096x4096, not '4096'" terms --shape 4096
    refuses "--results makes a new run and --into adds to an existing one; choose one" terms --results a --into b
    refuses "0" terms --samples 0
    foreign=$(one_that_does_not_run kernels '"gemv":true')
    [ -z "$foreign" ] || refuses "$foreign cannot run on this CPU" terms "$foreign"
    kernel_or_skip
    refuses "K" terms "$kernel" --shape 64x1000000000
}
