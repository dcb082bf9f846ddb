#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# slow: hundreds of commands, in each of which one call of the system fails. KNEEPOINT_FAULTS_SEED draws others.

setup() {
    ROOT=$(realpath "$BATS_TEST_DIRNAME/../..")
    faults=$ROOT/scripts/faults/faults
    tool=$(realpath "${KNEEPOINT:-$ROOT/build/kneepoint-steady}")
    cd "$BATS_TEST_TMPDIR"
}

# A tool with five calls: the first crashes where it fails, the second loses a line, the third stays silent and leaves a file, the fourth loses a file
# that was there, the fifth is an error as it should be.
write_fake() {
    cat >fake <<'SH'
#!/bin/bash
[ "$1" != gemv ] || { mkdir -p measured/runs/machine/run && echo '{}' >measured/runs/machine/run/meta.json; }
[ "$1" != tune ] || echo '{}' >table.json
[ -z "$KNEEPOINT_FAIL_LIST" ] || for n in 1 2 3 4 5; do echo "memory:$n malloc $n"; done >"$KNEEPOINT_FAIL_LIST"
[ -z "$KNEEPOINT_FAIL" ] || echo "$KNEEPOINT_FAIL malloc 0x1" >"$KNEEPOINT_FAIL_TOLD"
case $KNEEPOINT_FAIL in
memory:1) kill -SEGV $$ ;;
memory:2) echo one; exit 0 ;;
memory:3) touch .file.1.tmp; exit 2 ;;
memory:4) rm host.json; echo 'no memory' >&2; exit 2 ;;
memory:5) echo 'no memory' >&2; exit 2 ;;
esac
echo one
echo two
SH
    chmod +x fake
}

@test "faults: a crash, a part that is missing, silence, a file that stays and one that is lost are findings" {
    write_fake
    run "$faults" --binary ./fake predict
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"predict: crash: -11"*"KNEEPOINT_FAIL=memory:1, malloc"* ]]
    [[ $output == *"exit 0 with another output, without a word"*"memory:2"* ]]
    [[ $output == *"exit 2 without a word; a temporary file stays: .file.1.tmp"*"memory:3"* ]]
    [[ $output == *"lost: host.json"*"memory:4"* ]]
    [[ $output != *"memory:5"* ]]
    [[ $output == *"5 faults, 4 findings" ]]
}

@test "faults: of calls of the system that fail, those drawn end in an error or in the same result" {
    [ -x "${tool%-steady}-faults" ] || skip "not on this machine: no ${tool%-steady}-faults: run make build/kneepoint-faults"
    run "$faults" --binary "${tool%-steady}-faults" --drawn 240 --seed "${KNEEPOINT_FAULTS_SEED:-1}"
    echo "$output"
    [ "$status" -eq 0 ]
}
