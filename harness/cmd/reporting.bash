# SPDX-License-Identifier: BSD-3-Clause
#
# For the bats files of report and figure: `load reporting`. A saved run lies in $run_folder, the newest below results.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    fixture=$BATS_TEST_DIRNAME/../../reports/fixtures/run
    cd "$BATS_TEST_TMPDIR"
    run_folder=results/runs/machine/20260101T000000Z
    mkdir -p "$run_folder"
    cp "$fixture"/* "$run_folder"
}

# part_of_run FOLDER EXPRESSION: records of the run that match an extended regular expression, as a run of their own.
part_of_run() {
    mkdir -p "$1"
    cp "$fixture/meta.json" "$1"
    grep -E "$2" "$fixture/records.jsonl" >"$1/records.jsonl"
}

# one_line_error TEXT: the message is one line, and names what is given.
one_line_error() {
    [ "${#lines[@]}" -eq 1 ] || { echo "$output"; return 1; }
    [[ "$output" == *"$1"* ]] || { echo "$output"; return 1; }
}
