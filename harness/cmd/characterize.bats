#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

# A run in folder $1 that says it was measured on another CPU.
foreign_run() {
    mkdir -p "$1"
    cp "$BATS_TEST_DIRNAME/../../reports/fixtures/run/"* "$1"
}

# fit_their_schemas RUN: its platform file, and the first records of each type in the eyes of another validator.
fit_their_schemas() {
    python3 -c 'import jsonschema' 2>/dev/null || return 0 # harness/record/schemas.bats says so
    python3 - "$BATS_TEST_DIRNAME/../.." "$1" <<'PYTHON'
import collections, json, sys
from jsonschema import Draft202012Validator
tree, run = sys.argv[1:]
load = lambda path: json.load(open(path))
Draft202012Validator(load(tree + "/platforms/platform.schema.json")).validate(load(run + "/platform.json"))
record = Draft202012Validator(load(tree + "/results/record.schema.json"))
seen = collections.Counter()
for line in open(run + "/records.jsonl"):
    whole = json.loads(line)
    seen[whole["type"]] += 1
    if seen[whole["type"]] <= 12:
        record.validate(whole)
PYTHON
}

newest_run() {
    ls -d results/runs/*/* | tail -n 1
}

@test "characterize: a resumed run keeps the --only and the --tuning that it began with" {
    foreign_run old
    python3 -c 'import json; m = json.load(open("old/meta.json")); m["command"] = ["kneepoint characterize", "--only=int2_vnni4.mask", "--only", "q4_0", "--tuning", "none"]
json.dump(m, open("old/meta.json", "w"))'
    status=0
    "$KNEEPOINT" characterize --resume=old --budget=20 >out 2>err || status=$?
    [ "$status" -eq 4 ]
    grep -qx 'kneepoint characterize: continues with --only=int2_vnni4.mask, as old was started' err
    grep -qx 'kneepoint characterize: continues with --only=q4_0, as old was started' err
    grep -qx 'kneepoint characterize: continues with --tuning=none, as old was started' err
}

# One job: interrupted, read, resumed to the end. Of one kernel, whose whole plan takes seconds.
@test "characterize: Ctrl-C keeps what was measured, and --resume continues to the end" {
    kernel_or_skip
    "$KNEEPOINT" characterize --budget 60 --only "$kernel" --seed 1 >out 2>err &
    pid=$!
    for _ in $(seq 1200); do
        grep -q '"type":"samples","name":"gamma/' results/runs/*/*/records.jsonl 2>/dev/null && break
        sleep 0.1
    done
    kill -INT $pid
    status=0
    wait $pid || status=$?
    cat err
    [ "$status" -eq 130 ]
    [ ! -s out ]
    run_folder=$(newest_run)
    grep -qF "continue: kneepoint characterize --resume=$run_folder" err
    grep -qF "report:   kneepoint report $run_folder" err

    # what is there can be read: whole lines, summaries, an end that says so
    cp "$run_folder/records.jsonl" out
    lines_have machine cpu cores caches
    lines_have clock core_hz tsc_hz
    lines_have gamma gamma bound
    lines_have end interrupted complete cells_skipped samples rejected
    grep -q '^{"type":"end","name":"characterize","complete":false,"interrupted":true,' out
    [ -s "$run_folder/meta.json" ]
    kept_quiet report "$run_folder"
    [ -s "$(cat out)" ]
    before=$(samples_in "$run_folder/records.jsonl")

    # with standard output closed, which must not become one of the run's files
    status=0
    "$KNEEPOINT" characterize --budget 60 --resume "$run_folder" >&- 2>err || status=$?
    cat err
    cp err resumed
    [ "$status" -eq 2 ]
    grep -q "cannot write to standard output" err
    cp "$run_folder/records.jsonl" out
    lines_have gemv format isa m k n threads protocol time_s bytes_per_s ops_per_cycle roof_fraction predicted_s residual exact
    lines_have beta level threads cpus stream bytes_per_s bytes_per_cycle_per_core
    lines_have sync threads time_s
    lines_have prepare k time_s
    [ "$(samples_in out)" -gt "$before" ]
    [ "$(tail -n 1 out | grep -c '"type":"end".*"interrupted":false')" -eq 1 ]
    samples=$(tail -n 1 out | sed 's/"entered".*//;s/.*"samples":\([0-9]*\).*/\1/')
    [ "$samples" -le "$(samples_in out)" ]
    [ "$samples" -ge "$before" ]

    kept_quiet predict --platform "$run_folder/platform.json"
    grep -q '), kneepoint characterize$' out
    fit_their_schemas "$run_folder"
    [ "$(ls results/runs/*/ | wc -l)" -eq 1 ]
}

@test "characterize: a run that is removed while it is measured is an error" {
    kernel_or_skip
    "$KNEEPOINT" characterize --budget 20 --only "$kernel" --seed 1 >out 2>err &
    pid=$!
    for _ in $(seq 1200); do
        grep -q '"type":"samples"' results/runs/*/*/records.jsonl 2>/dev/null && break
        sleep 0.1
    done
    rm -r results
    status=0
    wait $pid || status=$?
    cat err
    [ "$status" -eq 2 ]
    [ ! -s out ]
    grep -q 'was removed or replaced while it was measured; its records are lost, measure again' err
    [ ! -e results ]
}

@test "characterize: a budget too small" {
    refuses "a budget of 5 s is too small to measure beta and gamma; give at least 20" characterize --budget 5
    refuses "--budget takes whole seconds" characterize --budget 0m
    refuses "5m or 2h, or full, not '5d'" characterize --budget 5d
    refuses "a budget of 5 s is too small" characterize --budget 5s
    refuses "--budget takes whole seconds" characterize --budget 2hours
    refuses "--budget takes whole seconds" characterize --budget 300h
    refuses "--budget takes whole seconds" characterize --budget soon
    refuses "--size takes megabytes such as 4.5, not '4MB'" characterize --size 4MB
    refuses "0.02 MB are too small for the roofs of this machine; give at least --size=" characterize --budget 50 --size 0.02
}

# The run of certain samples takes the budget's cells, each with 12 and more, and no more time than it needs.
@test "characterize: a run that measured all it planned is complete" {
    command -v gnuplot >/dev/null && report=--report || report=
    "$KNEEPOINT" characterize --budget 50 --size 1.2 --seed 1 $report >out 2>err || status=$?
    cat err out
    head -n 1 out >run
    grep -q '^kneepoint characterize: measures [0-9]* of [0-9]* cells, 12 samples of each, for about [0-9]* s, [0-9.]* MB (budget: 50 s)$' err
    grep -q '^  roofs  *[0-9]* of [0-9]*  *bandwidth of memory, for one core and for all$' err
    grep -q '[0-9]* cells are left out; `kneepoint list plan --budget=50 --size=1.2` lists them' err
    tail -n 1 "$(cat run)/records.jsonl" >end
    grep -q '"complete":true,"interrupted":false' end
    grep -q '"cells_unsettled":0' end
    grep -q '"left_out":{"reason":"not planned: beyond the budget of 50 s, or of 1.2 MB",' end
    grep -q '"cells_dropped":[0-9]*[,}]' end
    # what it set out to measure comes before the first sample, in numbers that add up
    sed '/"type":"samples"/q' "$(cat run)/records.jsonl" | grep '"type":"plan"' >plan
    python3 - plan err <<'PYTHON'
import json, re, sys
plan = json.load(open(sys.argv[1]))
chosen, cells = map(int, re.search(r"(\d+) of (\d+) cells", open(sys.argv[2]).read()).groups())
assert plan["cells"] == chosen and plan["cells"] + plan["cells_left_out"] == cells, plan
assert sum(of["chosen"] for of in plan["values"].values()) == chosen, plan
assert plan["values"]["roofs"]["chosen"] > 0 and plan["purpose"] == "machine" and plan["budget_s"] == 50, plan
PYTHON
    [ "$(grep -c '"type":"gamma"' "$(cat run)/records.jsonl")" -gt 50 ]
    if grep -E '"median":[-0-9][^{}]*"n":[0-5],' "$(cat run)/records.jsonl"; then false; fi
    [ "$(wc -c <"$(cat run)/records.jsonl")" -le 1200000 ]
    # where time was left, nothing planned is missing
    seconds=$(sed 's/.*"seconds":\([0-9]*\).*/\1/' end)
    [ "$seconds" -ge 37 ] || ! grep 'planned cells were skipped' err
    # what the machine is known by, and last where the page is
    [ -n "$report" ] || return 0
    [ "$(tail -n 1 out)" = "$(cat run)/report/index.html" ]
    sed '1d; $d' out >known
    [ "$(wc -l <known)" -eq 4 ]
    grep -qE '^β per core, 1 core reading: [0-9.]+ \[[0-9.]+, [0-9.]+\] B/cycle$' known
    grep -q '^knee of the best 2-bit kernel: ' known
    grep -qE '^(share of the roof it attains|it attains, [0-9]+ threads?): ' known
    if grep -q incomplete "$(cat run)"/../../../*/*/index.html; then false; fi
}

@test "characterize: blocks have the same cells, and GEMVs of a kernel and team one prefetch distance" {
    "$KNEEPOINT" characterize --budget 20 --seed 1 >run 2>err
    "$KNEEPOINT" characterize --budget 20 --resume "$(cat run)" >again 2>err
    cat err
    cmp run again
    python3 - "$(cat run)/records.jsonl" <<'PYTHON'
import json, re, sys
found = {}
# of what is searched (unrolling of a read loop, size of a pool, accumulators of a sequence) a block tries as much as its time allows
cells = {1: set(), 2: set()}
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["type"] == "samples" and not record["name"].startswith(("beta/", "pool/")):
        cells[record["block"]].add(re.sub("^(gamma/.*)/a[0-9]+$", r"\1", record["name"]))
    if record["type"] == "gemv" and record["settings"] == "self-tuned":
        found.setdefault((record["name"], record["threads"]), set()).add(record["prefetch_bytes"])
    if record["type"] == "gemv" and record["protocol"] == "cold" and record["m"] == record["k"] == 4096 and record["settings"] == "default":
        assert record["prefetch_bytes"] == 0, record
assert len(cells[1]) > 20 and cells[2] <= cells[1], (len(cells[1]), cells[2] - cells[1])
assert len(cells[2]) >= len(cells[1]) / 2, (len(cells[1]), len(cells[2]))
assert all(len(distances) == 1 for distances in found.values()), found
PYTHON
}

@test "characterize: kernels find their prefetch distance, and keep their own with --tuning=none" {
    format_or_skip bf16 # whose kernels prefetch
    kernel=$("$KNEEPOINT" list kernels bf16 --json | jq -r 'select(.runs and .gemv).name' | head -n 1)
    refuses "--tuning takes self or none, not 'fast'" characterize --tuning=fast
    "$KNEEPOINT" characterize --budget 60 --only "$kernel" --tuning=none >run 2>err
    grep '"type":"gemv"' "$(cat run)/records.jsonl" >gemvs
    if grep self-tuned gemvs; then false; fi
    "$KNEEPOINT" characterize --budget 60 --only "$kernel" >run 2>err
    grep -q '"type":"gemv".*"settings":"self-tuned"' "$(cat run)/records.jsonl"
}

@test "characterize: a purpose that there is not, and a full budget for blocks" {
    refuses "--for is one of compare, machine" characterize --for nothing
    refuses "--budget takes whole seconds, minutes or hours from 1 s on, such as 90, 5m or 2h, or full, not '1.5'" characterize --budget 1.5
    refuses "--blocks needs a budget in seconds to divide" characterize --budget full --blocks 7
}

@test "characterize: a budget too small for its blocks" {
    refuses "a budget of 100 s leaves 9 s to each of 11 blocks; give at least --budget=220" characterize --blocks 11
    refuses "a budget of 120 s leaves 10 s to each of 11 blocks" characterize --blocks 11 --budget=2m
    refuses "--blocks takes a whole number" characterize --blocks 0
}

@test "characterize: blocks that cannot begin say why" {
    : >file
    apart "$KNEEPOINT" characterize --blocks 2 --budget 40 --results file/below
    cat err
    [ "$status" -eq 2 ]
    [ ! -s out ]
    tail -n 1 err | grep -q '^kneepoint characterize: file is not a folder'
    apart "$KNEEPOINT" characterize --blocks 2 --budget 40 --threads $(($(most_threads) + 1))
    [ "$status" -eq 2 ]
    tail -n 1 err | grep -q 'threads asked'
    foreign_run run
    apart "$KNEEPOINT" characterize --blocks 2 --budget 40 --resume run
    [ "$status" -eq 4 ]
    tail -n 1 err | grep -q 'cannot be continued here; start a new run'
}

@test "characterize: an unwritable results folder" {
    : >file
    refuses "file" characterize --results file/below
    refuses "/proc" characterize --results /proc/kneepoint
}

@test "characterize: --report without gnuplot is refused before anything is measured" {
    mkdir bare
    for tool in cat wc find sort grep; do
        ln -s "$(command -v $tool)" bare
    done
    PATH=$PWD/bare refuses "--report cannot draw: gnuplot is not installed; install gnuplot-nox" characterize --report --budget 20
    printf '#!/bin/sh\necho gnuplot 4.6 patchlevel 6\n' >bare/gnuplot
    ln -s /bin/sh bare/sh
    chmod +x bare/gnuplot
    PATH=$PWD/bare refuses "--report cannot draw: gnuplot 4.6 is too old" characterize --report --budget 20
}

@test "report: without gnuplot the page is there, without pictures, and one line says so" {
    mkdir bare
    foreign_run run
    status=0
    PATH=$PWD/bare "$KNEEPOINT" report run >out 2>err || status=$?
    cat out err
    [ "$status" -eq 2 ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -q gnuplot err
    [ -s run/report/index.html ]
}

@test "characterize: a run of another CPU is not continued" {
    foreign_run run
    exit=4 refuses "cannot be continued here; start a new run" characterize --resume run
}

@test "characterize: what is not a run is not continued" {
    refuses "nowhere" characterize --resume nowhere
    mkdir empty
    refuses "empty" characterize --resume empty
    mkdir foreign
    echo '{"some": "thing"}' >foreign/meta.json
    echo '{"a": 1}' >foreign/records.jsonl
    refuses "foreign" characterize --resume foreign
    printf '{"kneepoint": "0.1' >foreign/meta.json
    refuses "foreign" characterize --resume foreign
    head -c 300 /dev/urandom >garbage
    refuses "garbage" characterize --resume garbage
}

@test "characterize: a run of this CPU with a torn last line is read" {
    mkdir run
    "$KNEEPOINT" info --json | jq -c 'select(.type == "machine") | {kneepoint: "0.1.0", cpu: .identity, topology}' >run/meta.json
    mkdir before
    jq -c 'del(.cpu.features)' run/meta.json >before/meta.json
    printf '{"type":"end","name":"x"}\n' >before/records.jsonl
    exit=4 refuses "before was measured with a CPU that may be a different one: features unknown there, and cannot be continued here; start a new run" \
        characterize --resume before
    printf '{"type":"samples","name":"sync/barrier/t1","visit":0,"tsc_hz":1e9,"grade":"chain","ticks":[1000],"core_khz":[1000000]}\n{"type":"sam' \
        >run/records.jsonl
    "$KNEEPOINT" characterize --budget 20 --resume run >out 2>err &
    pid=$!
    for _ in $(seq 1200); do
        [ "$(wc -l <run/records.jsonl)" -gt 3 ] && break
        sleep 0.1
    done
    kill -INT $pid
    status=0
    wait $pid || status=$?
    cat err
    [ "$status" -eq 130 ]
    cp run/records.jsonl out
    lines_have end samples
    [ -s run/records.jsonl.truncated ]
}

@test "characterize: wrong machine requests" {
    refuses "threads asked" characterize --threads $(($(most_threads) + 1))
    refuses "cpu $(forbidden_cpu) is not allowed" characterize --cpus "$(forbidden_cpu)"
    refuses "Too many arguments" characterize now
}
