#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# kneepoint report over the runs of a fleet: which machine is off.

load measuring

# machine NAME BYTES_PER_S GAMMA [CPU [CACHE]]: a run in folder NAME of a machine that was given that name; with a cache of this many bytes it
# states all of its CPU.
machine() {
    local quantity='"min":1,"mad":0,"n":9,"rejected":0,"grade":"chain"'
    mkdir -p "$1"
    local facts='' caches=''
    if [ -n "${5:-}" ]; then
        facts=',"vendor":"Test","family":6,"model":1,"stepping":1,"features":["avx2"]'
        caches=',"topology":{"caches":[{"level":3,"bytes":'$5'}]}'
    fi
    printf '{"kneepoint":"0.1.0","node":"%s","cpu":{"name":"%s","microarchitecture":"Test"%s},"host":{"hostname":"same"}%s}\n' \
        "$1" "${4:-Test CPU}" "$facts" "$caches" >"$1/meta.json"
    {
        printf '{"type":"beta","name":"read","level":"memory","threads":8,"cpus":[0],"stream":"read","roof":true,'
        printf '"bytes_per_s":{"median":%se9,"ci95":[%se9,%se9],%s,"unit":"B/s"}}\n' "$2" "$2" "$2" "$quantity"
        printf '{"type":"gamma","name":"int2.x.avx2","isa":"avx2","accumulators":8,"bytes_per_vector":8,"usable":true,'
        printf '"gamma":{"median":%s,"ci95":[%s,%s],%s,"unit":"cycles"}}\n' "$3" "$3" "$3" "$quantity"
    } >"$1/records.jsonl"
}

fleet() {
    machine n1 98 1.25
    machine n2 100 1.26
    machine n3 101 1.24
    machine n4 99 1.25
    machine n5 100 1.25
}

@test "report of a fleet: the same machines, one line without an outlier" {
    fleet
    apart "$KNEEPOINT" report n1 n2 n3 n4 n5 -o out.d
    [ "$status" -eq 0 ]
    [ "$(cat out)" = out.d/index.html ]
    [ "$(cat err)" = 'kneepoint report: none of 10 values of 5 runs is more than 3 MAD off' ]
    grep -q 'Outliers of the fleet' out.d/index.html
    grep -q '0 of 10 values, on 0 of 5 machines, are outliers' out.d/index.html
    [ "$(grep -c 'id="outliers"' out.d/index.html || true)" -eq 0 ]
    grep -q 'id="spreads"' out.d/index.html
    grep -q '>A/\|>B/A' out.d/index.html # side by side as well
}

@test "report of a fleet: slow memory and a slow sequence are named, worst machine first" {
    fleet
    machine n6 61 1.25
    machine n7 50 1.50
    apart "$KNEEPOINT" report n1 n2 n3 n4 n5 n6 n7 -o out.d
    cat err
    [ "$status" -eq 0 ]
    [ "$(sed -n 1p err)" = 'kneepoint report: n7 (n7): 2 of 2 values more than 3 MAD off: beta memory 8 -49.5%, gamma int2.x.avx2 +20.0%' ]
    [ "$(sed -n 2p err)" = 'kneepoint report: n6 (n6): 1 of 2 values more than 3 MAD off: beta memory 8 -38.4%' ]
    [ "$(wc -l <err)" -eq 2 ]
    grep -q '<tr><td>n6</td><td>beta</td><td>memory 8</td><td>61.00</td><td>99.00</td><td>GB/s</td>' \
        out.d/index.html
    grep -q '<td>n7</td><td>gamma</td><td>int2.x.avx2</td>' out.d/index.html
    grep -q 'node n7' out.d/index.html
}

@test "report of a fleet: --json has a record for each value that is off" {
    fleet
    machine n6 61 1.25
    apart "$KNEEPOINT" report n1 n2 n3 n4 n5 n6 -o out.d --json
    lines_have report path
    lines_have outlier run quantity row unit value median mad fraction deviations machines
    [ "$(grep -c '"type":"outlier"' out)" -eq 1 ]
    grep -q '"name":"n6","run":"n6","quantity":"beta","row":"memory 8","unit":"B/s","value":6[.]1e10,"median":9[.]95e10' out
    python3 -c 'import jsonschema' 2>/dev/null || return 0
    python3 -W ignore - "$BATS_TEST_DIRNAME/../../results/record.schema.json" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open(sys.argv[1])))
for line in open("out"):
    validator.validate(json.loads(line))
PYTHON
}

@test "report of a fleet: three machines are too few to compare" {
    machine n1 100 1.25
    machine n2 100 1.25
    machine n3 50 2.5
    kept_quiet report n1 n2 n3 -o out.d
    [ "$(grep -c 'Outliers' out.d/index.html || true)" -eq 0 ]
}

@test "report of a fleet: another CPU is another fleet" {
    fleet
    machine big 200 0.6 'Other CPU'
    apart "$KNEEPOINT" report n1 n2 n3 n4 n5 big -o out.d
    [ "$(cat err)" = 'kneepoint report: none of 10 values of 6 runs is more than 3 MAD off' ]
    for name in big2 big3 big4; do
        machine $name 200 0.6 'Other CPU'
    done
    machine big5 100 0.6 'Other CPU'
    apart "$KNEEPOINT" report n1 n2 n3 n4 n5 big big2 big3 big4 big5 -o out.d
    [ "$(cat err)" = 'kneepoint report: big5 (big5): 1 of 2 values more than 3 MAD off: beta memory 8 -50.0%' ]
}

@test "report of a fleet: two CPUs with the same name and model are two fleets" {
    for node in 1 2 3 4; do
        machine a$node 10$node 1.25 'Masked CPU' 33554432
        machine b$node 5$node 1.25 'Masked CPU' 11184810
    done
    apart "$KNEEPOINT" report a1 b1 a2 b2 a3 b3 a4 b4 -o out.d
    cat err
    [ "$status" -eq 0 ]
    [ "$(cat err)" = 'kneepoint report: none of 16 values of 8 runs is more than 3 MAD off' ]
    [ "$(grep -o 'Masked CPU Test [0-9a-f]\{8\}' out.d/index.html | sort -u | wc -l)" -eq 2 ]
}

@test "report of a fleet: four CPUs with a run each are no fleet, and the page says so" {
    local name
    for name in a b c d; do
        machine $name 100 1.25 "CPU $name"
    done
    kept_quiet report a b c d -o out.d
    grep -q 'Fewer than 4 runs of one CPU have measured the same' out.d/index.html
    for name in e f g h i; do
        machine $name 100 1.25 "CPU $name"
    done
    exit=4 refuses 'a and the other runs have no read stream or sequence that four with the same CPU measured' report a b c d e f g h i -o out.e
}

@test "report of a fleet: more than eight have no columns, but are compared" {
    local i
    for i in $(seq 40); do
        machine "node$i" $((98 + i % 5)) 1.25
    done
    machine node41 70 1.25
    apart "$KNEEPOINT" report node*/ -o out.d
    [ "$status" -eq 0 ]
    [ "$(cat err)" = 'kneepoint report: node41 (node41/): 1 of 2 values more than 3 MAD off: beta memory 8 -30.0%' ]
    grep -q '41 runs side by side' out.d/index.html
    [ "$(grep -c '<dt>' out.d/index.html)" -eq 41 ]
    [ "$(grep -c 'B/A' out.d/index.html || true)" -eq 0 ]
}

@test "report of a fleet: ten machines are named, the rest is on the page" {
    local i
    for i in $(seq 25); do
        machine "n$i" 100 1.25
    done
    for i in $(seq 26 37); do
        machine "n$i" $((30 + i)) 1.25
    done
    apart "$KNEEPOINT" report n*/ -o out.d
    [ "$(wc -l <err)" -eq 11 ]
    [ "$(tail -n 1 err)" = 'kneepoint report: and 2 more machines; the page has all' ]
}

@test "report of a fleet: a run without a name goes by its host's, and a hostile one does no harm" {
    fleet
    sed -i 's/"node":"n5",//' n5/meta.json
    sed -i 's/"node":"n4"/"node":"<script>alert(1)<\/script>"/; s/"hostname":"same"/"hostname":"x"/' n4/meta.json
    sed -i 's/99e9/50e9/g' n4/records.jsonl
    sed -i 's/100e9/40e9/g' n5/records.jsonl
    apart "$KNEEPOINT" report n1 n2 n3 n4 n5 -o out.d --json
    grep -q '"name":"same","run":"n5"' out
    [ "$(grep -c '<script>' out.d/index.html)" -eq 1 ]
}
