#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/trim_run on a run of a few lines: what goes first, what never goes, what is said of it.

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/trim_run
    cd "$BATS_TEST_TMPDIR"
    mkdir run
    echo '{"schema": 2, "command": ["kneepoint", "characterize", "--results=somewhere"], "left_out": "what was left out before"}' >run/meta.json
    echo '{"name": "a machine"}' >run/platform.json
    {
        line samples gemv/a.b.avx2/8x8/t1/cold '"ticks":[1,2],"rejected":{"interrupt":[0],"sibling":[1]}'
        line samples gemv/a.b.avx2/8x8/t1/cold '"ticks":[1,2.50],"rejected":{"interrupt":[0]}'
        line gemv a.b.avx2 '"time_s":{"median":1.50e-6}'
        line samples gamma/a.b.avx2/a1 '"ticks":[1]'
        line samples gamma/a.b.avx2/a4 '"ticks":[1]'
        line gamma a.b.avx2 '"accumulators":1,"gamma":{"median":1.0},"best":false'
        line gamma a.b.avx2 '"accumulators":4,"gamma":{"median":1.01},"best":true'
        line cell gemv/a.b.avx2/8x8/t1/cold '"iterations":1'
        line knee a.b.avx2 '"level":"memory"'
        line end characterize '"cells_left_out":1,"left_out":{"reason":"not planned","cells":{"gemv/a.b.avx2/8x8/":["t2/cold"]}}'
    } >run/records.jsonl
    whole=$(cat run/* | wc -c)
}

line() { # TYPE NAME FIELDS
    echo "{\"type\":\"$1\",\"name\":\"$2\",$3}"
}

@test "trim_run: what is small enough stays as it is, but for where the results went" {
    "$SCRIPT" run copy 1
    cmp run/records.jsonl copy/records.jsonl
    cmp run/platform.json copy/platform.json
    [ "$(jq -c '[.command[2], .left_out, .rewritten]' copy/meta.json)" = '["--results=results","what was left out before",null]' ]
}

@test "trim_run: whole kinds go until it is small enough, every other line stays as it was, and meta.json says what went" {
    run "$SCRIPT" run copy "$(awk -v b=$whole 'BEGIN { print (b + 1500 - 300) / 1e6 }')"
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = '  left out: visits of which no sample was kept' ]
    [ "$(grep -c '"ticks":\[1,2.50\]' copy/records.jsonl)" -eq 1 ]
    [ "$(grep -c '"sibling"' copy/records.jsonl)" -eq 0 ]
    [ "$(grep -c '"median":1.50e-6' copy/records.jsonl)" -eq 1 ]
    [ "$(grep '"type":"end"' copy/records.jsonl | jq -c '[.cells_left_out, .left_out.reason, .left_out.cells]')" = '[1,"not planned",{}]' ]
    [ -z "$(grep -vxFf run/records.jsonl copy/records.jsonl | grep -v '"type":"end"')" ]
    [[ $(jq -r .left_out copy/meta.json) == 'what was left out before; visits of which no sample was kept, the names of cells'* ]]
}

@test "trim_run: of a sequence the number of accumulators stays that the run took, not the least, with its samples" {
    "$SCRIPT" run copy "$(awk -v b=$whole 'BEGIN { print (b + 1500 - 420) / 1e6 }')"
    [ "$(grep '"type":"gamma"' copy/records.jsonl | jq -c .accumulators)" = 4 ]
    [ "$(grep -c 'gamma/a.b.avx2/a1"' copy/records.jsonl)" -eq 0 ]
}

@test "trim_run: with the samples of a kind goes how they were taken, and their numbers stay" {
    "$SCRIPT" run copy "$(awk -v b=$whole 'BEGIN { print (b + 1500 - 560) / 1e6 }')"
    [ "$(grep -c '"type":"gemv"' copy/records.jsonl)" -eq 1 ]
    [ "$(grep -cE '"type":"(samples|cell)","name":"gemv/' copy/records.jsonl)" -eq 0 ]
    jq -r .left_out copy/meta.json | grep -q 'the samples behind the records of type gemv, with how they were taken'
}

@test "trim_run: what cannot be that small, is no run or is there already: one line, exit 2, nothing written" {
    run "$SCRIPT" run copy 0.0001
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == *"MB even so; measure fewer cells" ]]
    [ ! -e copy ] && [ ! -e copy.new ]
    run "$SCRIPT" nothing copy 1
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == *"nothing is no run: "* ]]
    run "$SCRIPT" run run 1
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == *"run is there already"* ]]
    run "$SCRIPT" run copy small
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ]
    run "$SCRIPT" run
    [ "$status" -eq 2 ] && [[ $output == "trim_run: usage: "* ]]
}
