#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/gate_calibration: what it builds, how it counts and what it refuses. What it measures is for a quiet machine, so a
# stand-in for the program answers here.

setup() {
    SCRIPT=$BATS_TEST_DIRNAME/gate_calibration
    cd "$BATS_TEST_TMPDIR"
    cat >kneepoint <<'END'
#!/bin/sh
[ "$1" != info ] || { echo "CPU       stand-in"; exit 0; }
echo "$*" >>asked
case "$*" in
*head.so*)
    for k in 1 2 3 4 5 6; do
        v=pass
        [ $k -ne 4 ] && [ $k -ne 6 ] || v=fail
        [ $k -ne 2 ] || v=inconclusive
        echo "{\"type\":\"comparison\",\"name\":\"gemv/counted.kernel$k.reference/512x512/t1/warm\",\"class\":\"core\",\"verdict\":\"$v\"}"
    done
    echo '{"type":"verdict","name":"fail","seconds":70.5}'
    exit 1 ;;
*)
    [ "$(grep -vc head.so asked)" -gt 1 ] || { echo "kneepoint compare: too busy" >&2; exit 2; }
    echo '{"type":"comparison","name":"gemv/1024x1024/t1/cold","class":"memory","verdict":"pass"}'
    echo '{"type":"comparison","name":"gemv/1024x1024/t2/cold","class":"memory","verdict":"inconclusive"}'
    echo '{"type":"verdict","name":"inconclusive","seconds":30.2}'
    exit 3 ;;
esac
END
    chmod +x kneepoint
    export KNEEPOINT=$PWD/kneepoint
}

@test "gate_calibration: counts cells that failed and cells that stayed open, and asks a busy machine again" {
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no compiler"
    "$SCRIPT" -n 2 -p 1 -o kept -- --seed=1 >out 2>err
    cat out err
    grep -qE '^nothing changed +4 +0 +0.0% +2 +50.0%$' out
    grep -qE '^  one thread +2 +0 +0.0% +0 +0.0%$' out
    grep -qE '^  nothing planted beside +3 +0 +0.0% +0 +0.0%$' out
    grep -qE '^2% more work +1 +0 +0.0% +1 +100.0%$' out
    grep -qE '^10% more work +1 +1 +100.0% +0 +0.0%$' out
    grep -q '^A/A comparisons: median 30 s, most 30 s, 2 comparisons; 0 with a failed cell$' out
    cmp out kept/table
    [ "$(grep -c -- '--seed=1' asked)" -eq 4 ]
    grep -q '^unchanged.1: exit 2$' err
}

@test "gate_calibration: impossible requests get one line" {
    refused() { ! "$SCRIPT" "$@" >out 2>err && [ "$(wc -l <err)" -le 2 ] && grep -q "gate_calibration: " err; }
    refused -n many
    refused -x
    KNEEPOINT=./nothing refused -n 0 -p 0
    : >file
    refused -n 0 -p 0 -o file/below
}
