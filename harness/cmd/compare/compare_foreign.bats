#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What other benchmarks wrote, compared by the same rules: llama-bench and google/benchmark. And the format for spreadsheets.

load ../measuring
load ../comparing

# llama_bench NANOSECONDS: a test of 20 repetitions about so long, as llama-bench -o json has it. EXTRA: more members
llama_bench() {
    awk -v ns="$1" -v extra="${EXTRA:-}" 'BEGIN {
        printf "[{\"build_commit\": \"abc\", \"cpu_info\": \"Some CPU\", \"model_type\": \"llama 1B Q4_0\", \"n_batch\": 2048, "
        printf "\"n_threads\": 2, \"n_prompt\": 0, \"n_gen\": 64, %s\"samples_ns\": [", extra
        for (i = 0; i < 20; i++) printf "%s%d", i ? ", " : "", ns * (1 + 0.002 * ((i * 7 % 20) / 10 - 1))
        print "]}]"
    }'
}

# google_benchmark NANOSECONDS: 20 repetitions and their mean, as --benchmark_format=json has them.
google_benchmark() {
    awk -v ns="$1" 'BEGIN {
        printf "{\"context\": {\"host_name\": \"here\", \"num_cpus\": 2}, \"benchmarks\": ["
        for (i = 0; i < 20; i++)
            printf "{\"name\": \"BM_Dot/64\", \"run_name\": \"BM_Dot/64\", \"run_type\": \"iteration\", \"repetition_index\": %d, \"real_time\": %.6f, \"time_unit\": \"ns\"},", i, ns * (1 + 0.002 * ((i * 7 % 20) / 10 - 1))
        print "{\"name\": \"BM_Dot/64_mean\", \"run_name\": \"BM_Dot/64\", \"run_type\": \"aggregate\", \"real_time\": 1, \"time_unit\": \"ns\"}]}"
    }'
}

@test "compare: llama-bench, nothing changed and a loss of 12%" {
    llama_bench 50e6 >base.json
    llama_bench 50.001e6 >same.json
    llama_bench 56e6 >slow.json
    llama_bench 56.01e6 >again.json
    ends_with 0 compare base.json same.json
    grep -q '^20 and 20 samples of llama-bench, unfiltered and unpaired' out
    grep -q '^weaker evidence: without blocks, all samples of a side come from one process' out
    grep -qE '^llama 1B Q4_0/tg64/t2 +50 ms .* pass$' out
    ends_with 3 compare base.json slow.json
    ends_with 1 compare base.json slow.json --allow=unconfirmed
    grep -qE '^llama 1B Q4_0/tg64/t2 .*\+1[12]\.[0-9]+% .*fail' out
}

@test "compare: the lines of llama-bench -o jsonl are the same tests" {
    llama_bench 50e6 >base.json
    llama_bench 50.001e6 | sed 's/^\[//; s/\]$//' >same.jsonl
    ends_with 0 compare base.json same.jsonl
    "$KNEEPOINT" compare base.json same.jsonl --json >out
    grep -q '"replicate":"sample"' out
}

@test "compare: google/benchmark by repetition, aggregates left out" {
    google_benchmark 40000 >base.json
    google_benchmark 40001 >same.json
    google_benchmark 46000 >slow.json
    ends_with 0 compare base.json same.json
    grep -q 'samples of google/benchmark, unfiltered' out
    [ "$(grep -c '^BM_Dot/64 ' out)" -eq 1 ]
    ends_with 1 compare base.json slow.json --allow=unconfirmed
}

@test "compare: parameters, machines and tools that differ are not compared, exit 4" {
    llama_bench 50e6 >base.json
    EXTRA='"type_k": "q8_0", ' llama_bench 50e6 >cache.json
    llama_bench 50e6 | sed 's/Some CPU/Other CPU/' >cpu.json
    google_benchmark 40000 >google.json
    exit=4 refuses "cells: 1 cell only in BASE (llama 1B Q4_0/tg64/t2), 1 cell only in HEAD (llama 1B Q4_0/tg64/t2 type_k=q8_0)" compare base.json cache.json
    exit=4 refuses "cpu: name 'Some CPU' in BASE, 'Other CPU' in HEAD" compare base.json cpu.json
    exit=4 refuses "cells: BASE is of llama-bench, HEAD of google/benchmark" compare base.json google.json
}

@test "compare: damaged files of other benchmarks are one line, exit 2" {
    llama_bench 50e6 >base.json
    echo '[{"model_type": "m", "samples_ns": []}]' >empty.json
    echo '{"context": {}, "benchmarks": []}' >none.json
    head -c 200 base.json >short.json
    refuses "empty.json: test 1 has no samples_ns" compare base.json empty.json
    refuses "none.json: it has no repetitions" compare none.json base.json
    refuses "short.json" compare base.json short.json
}

@test "compare: a baseline of another benchmark" {
    llama_bench 50e6 >base.json
    llama_bench 50.001e6 >same.json
    ends_with 0 baseline save speed base.json
    grep -q 'base.json comes from llama-bench: its samples are used unfiltered' err
    [ "$(wc -l <err)" -eq 1 ]
    ends_with 0 compare speed same.json
    grep -q 'samples of llama-bench, unfiltered' out
}

@test "compare: --output-format=csv, a line a cell, as RFC 4180 quotes it" {
    EXTRA='"devices": "a,\"b\"", ' llama_bench 50e6 | sed 's/"b"/\\"b\\"/' >base.json
    EXTRA='"devices": "a,\"b\"", ' llama_bench 56e6 | sed 's/"b"/\\"b\\"/' >slow.json
    ends_with 1 compare base.json slow.json --allow=unconfirmed --output-format=csv
    [ "$(head -n 1 out)" = cell,verdict,reason,class,base_s,effect,lower,upper,threshold,floor,layout,adjusted_p,base_blocks,head_blocks ]
    [ "$(wc -l <out)" -eq 2 ]
    grep -q '^"llama 1B Q4_0/tg64/t2 devices=a,""b""",fail,"slower, not confirmed yet",memory,0\.0499[0-9]*,0\.1[12][0-9]*,' out
    sed 's/Some CPU/Other CPU/' slow.json >cpu.json
    ends_with 4 compare base.json cpu.json --output-format=csv
    grep -q '^,incomparable,"*cpu: ' out
}
