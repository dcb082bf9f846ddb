#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/schedule_emulation: what it asks, how it judges and what it refuses. What it measures is for a quiet machine, so a
# stand-in for the program answers here: with the shares of the sum in the environment.

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/schedule_emulation
    cd "$BATS_TEST_TMPDIR"
    cat >kneepoint <<'END'
#!/bin/sh
[ "$1" != info ] || { echo "CPU       stand-in"; exit 0; }
echo "$*" >>asked
[ -z "$REFUSE" ] || { echo "kneepoint gemv: $REFUSE" >&2; exit 2; }
echo '{"type":"gemv","name":"k","threads":1,"schedule":"static","of_sum":9}'
for s in static:$STATIC weighted:$WEIGHTED dynamic:$DYNAMIC; do
    echo "{\"type\":\"gemv\",\"name\":\"k\",\"threads\":2,\"schedule\":\"${s%:*}\",\"of_sum\":${s#*:},\"of_contended\":${OF_CONTENDED:-${s#*:}}}"
done
echo '{"type":"gemv","name":"k","threads":2,"schedule":"weighted","weights":[1,0.5],"contended":true,"of_sum":0.88}'
END
    chmod +x kneepoint
    export KNEEPOINT=$PWD/kneepoint STATIC=0.66 WEIGHTED=0.97 DYNAMIC=0.95 REFUSE=
}

# judged CODE: what it exits with
judged() {
    status=0
    "$SCRIPT" -n 2 -o kept >out 2>err || status=$?
    cat out err
    [ "$status" -eq "$1" ]
}

@test "schedule_emulation: a table of every schedule, and that all of it is emulated" {
    "$SCRIPT" -n 3 -s 0.25 -k mine -m other -o kept -- --seed=1 >out
    cat out
    grep -q '^emulated: the second of two members at 0.25 of its speed' out
    [ "$(grep -cE '^ +dynamic +95.0% \(95.0 to 95.0, n 3\) ' out)" -eq 2 ]
    [ "$(grep -cE '^ +dynamic .*95.0% \(95.0 to 95.0, n 3\)$' out)" -eq 2 ]
    [ "$(grep -cE '^ +contended +88.0% \(88.0 to 88.0, n 3\)$' out)" -eq 2 ]
    [ "$(grep -cE '^ +weighted +97.0% \(97.0 to 97.0, n 3\) ' out)" -eq 2 ] # the members are not taken for a schedule
    [ "$(grep -cE '^ +static +66.0% \(66.0 to 66.0, n 3\) ' out)" -eq 2 ]
    grep -q '^weighted and dynamic reach 95% of the sum, equal shares do not$' out
    [ "$(grep -c '^gemv mine --warm --threads=2 --schedule=static,weighted,dynamic --slow-member=1:0.25 --samples=48 --seed=1 --json$' asked)" -eq 3 ]
    [ "$(grep -c '^gemv other --cold ' asked)" -eq 3 ]
    grep -q '^of what memory binds, 95% of contended' out
    diff <(head -n 14 out) <(head -n 14 kept/table)
}

@test "schedule_emulation: what is not reached, and what has no number" {
    judged 0
    WEIGHTED=0.94 judged 1
    DYNAMIC=0.949 judged 1
    STATIC=0.96 judged 1 # nothing was lost: the emulation did nothing
    OF_CONTENDED=0.94 judged 1 # of one that memory binds, the schedule itself loses
    "$SCRIPT" -n 1 -m - -o none >out # which was not asked for
    if grep -q 'memory binds' out; then false; fi
    DYNAMIC=null judged 3
    grep -q 'too few samples' err
}

@test "schedule_emulation: what it refuses" {
    for runs in 0 x -1 ''; do
        status=0
        "$SCRIPT" -n "$runs" 2>err || status=$?
        [ "$status" -eq 2 ]
        grep -q '^schedule_emulation: ' err
    done
    status=0
    KNEEPOINT=/nowhere/kneepoint "$SCRIPT" 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q 'no /nowhere/kneepoint; build it' err
    status=0
    REFUSE="the machine is too busy" "$SCRIPT" -n 1 -o kept 2>err || status=$?
    [ "$status" -eq 2 ]
    grep -q 'schedule_emulation: kneepoint gemv: the machine is too busy' err
}
