#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring

# A GEMM kernel of integers that runs here; it may take an ISA that few have.
gemm_kernel() {
    "$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"gemm":true' | grep '"result":"int32"' | grep -v '"prefetch":0' |
        sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -1
}

@test "tune: a table, which gemm takes, and says so; one of other code is refused" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    apart "$KNEEPOINT" tune "$kernel" --shape=64x256,128x256 --tokens=2,8 --threads=1 --warm --budget=8 --json
    echo "exit $status, $(cat err)"
    [ "$status" -eq 0 ]
    lines_have tuned product format takes error_bound m k n threads protocol kernel isa best prefetch_bytes share variant time_s \
        default_time_s kept default_kept candidates seen left_out
    lines_have tuning path leave_one_out
    [ "$(grep -c '"type":"tuned".*"best":true' out)" -eq 4 ]
    grep -q '"leave_one_out":{"problems":4,"geometric_mean":[0-9.]*,"worst":[0-9.]*}' out
    table=$(find results/tuning -name '*.json')
    [ "$(grep -c '"name":"gemm/' "$table")" -eq 4 ]

    # known problems stay, new ones join
    apart "$KNEEPOINT" tune "$kernel" --shape=64x512 --tokens=2 --threads=1 --warm --budget=4
    [ "$status" -eq 0 ]
    grep -qE "^$kernel +64x512 +2 +1 warm " out
    grep -q "^saved: $table$" out
    [ "$(grep -c '"name":"gemm/' "$table")" -eq 5 ]

    kept_quiet gemm "$kernel" --shape=64x256 --tokens=2,3 --threads=1 --warm --samples=6 --json
    grep -q '"n":2,.*"settings":"tuned","tuned_for":{"m":64,"k":256,"n":2},"tuned_distance":0.0' out
    grep -q '"n":3,.*"settings":"matched","tuned_for":{"m":64,"k":256,"n":2},"tuned_distance":0.58' out
    kept_quiet gemm "$kernel" --shape=64x256 --tokens=2 --threads=1 --warm --samples=6 --json --tuning=none
    grep -q '"n":2,.*"settings":"default"' out

    sed "s/\(\"$kernel\": \"\)[0-9a-f]*/\10/" "$table" >stale.json
    exit=4 refuses "stale.json was made on or with other code of $kernel; run \`kneepoint tune\` here" gemm "$kernel" --tuning=stale.json
    sed '0,/"name": "[^"]*"/s//"name": "another"/' "$table" >foreign.json
    exit=4 refuses "another CPU, 'another'" gemm "$kernel" --tuning=foreign.json
    refuses "foreign.json was made on or with another CPU, 'another'; name another --out" tune "$kernel" --out=foreign.json \
        --shape=64x256 --tokens=2 --threads=1 --warm --budget=1
    grep -q '"name": "another"' foreign.json
    # is_another WORDS FILTER: what is said of the table that has been through jq so
    is_another() {
        jq "$2" "$table" >foreign.json
        exit=4 refuses "foreign.json was made on or with $1" gemm "$kernel" --tuning=foreign.json
    }
    is_another "another CPU: model 999 there, " '.cpu.model = 999'
    is_another "another CPU: microarchitecture 'Test Cove' there, " '.cpu.microarchitecture = "Test Cove"'
    is_another "another CPU: features amx_fp1 only there; run" '.cpu.features += ["amx_fp1"]'
    is_another "another CPU: caches " '.topology.caches[-1].bytes |= (. / 3 | floor)'
    is_another "a CPU that may be a different one: features unknown there; run \`kneepoint tune\` here" 'del(.cpu.features)'
    is_another "a CPU that may be a different one: caches unknown there; run \`kneepoint tune\` here" 'del(.topology)'
    cp stale.json "$table"
    apart "$KNEEPOINT" gemm "$kernel" --shape=64x256 --tokens=2 --threads=1 --warm --samples=6 --json
    [ "$status" -eq 0 ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -q "other code of $kernel.*; kernels run with their own settings" err
    grep -q '"n":2,.*"settings":"default"' out
}

@test "tune: without a table kernels run with their default settings, and a line says so" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    kept_quiet gemm "$kernel" --shape=64x256 --tokens=2 --threads=1 --warm --samples=6
    grep -q '^Kernels ran with default settings' out
}

@test "tune: if no sample is kept, the cause is printed and no table is written" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    keeps_none "tune: too few samples were kept for any number, so no table is written (" tune "$kernel" --shape=64x256 --tokens=2 \
        --threads=1 --warm --budget=2 --json
    [ ! -s out ]
    [ ! -e results ]
}

@test "tune: what cannot be searched or written is refused in one line" {
    kernel=$(gemm_kernel)
    [ -n "$kernel" ] || skip "not on this machine: no GEMM kernel runs here"
    refuses "which formats or kernels?" tune
    refuses "no kernel 'int9'; \`kneepoint list kernels\`" tune int9
    refuses "--shape takes MxK such as 4096x4096, with commas between, not '64'" tune "$kernel" --shape=64x64,64
    refuses "--tokens takes numbers separated by commas" tune "$kernel" --tokens=1,,2
    refuses "--budget takes whole seconds, minutes or hours from 1 s on, such as 90, 5m or 2h, not 'full'" tune "$kernel" --budget=full
    refuses "5m or 2h, not '0'" tune "$kernel" --budget=0
    refuses "--out takes the name of a file, not ''" tune "$kernel" --out=
    mkdir folder
    refuses "cannot read folder: Is a directory" tune "$kernel" --out=folder
    refuses "cannot read folder: Is a directory" gemm "$kernel" --tuning=folder
    refuses "K = 2147483647 is beyond ${kernel%%.*}" tune "$kernel" --shape=64x2147483647
    refuses "cannot write /proc/none/table.json: " tune "$kernel" --out=/proc/none/table.json
    echo text >text.json
    refuses "text.json line 1: " tune "$kernel" --out=text.json
    echo '{"kneepoint_baseline": 1, "cells": []}' >other.json
    refuses "other.json is not a tuning table" tune "$kernel" --out=other.json
    refuses "other.json is not a tuning table" gemm "$kernel" --tuning=other.json
    refuses "no file none.json: No such file" gemv "${kernel%%.*}" --tuning=none.json
    refuses "leave out --tuning or --prefetch" gemm "$kernel" --tuning=other.json --prefetch=64
}
