#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What an emulator timed is no speed of a machine: the run carries it, its views say it, and nothing is held against it. The tool with
# stand-ins takes this machine for an emulated one where KNEEPOINT_EMULATED names an emulator.

load measuring

# emulated_run FOLDER: the made-up run of reports/fixtures, as if measured in an emulator.
emulated_run() {
    local fixture=$BATS_TEST_DIRNAME/../../reports/fixtures/run
    mkdir -p "$1"
    jq 'del(.synthetic) | .cpu.emulated = "QEMU TCG"' "$fixture/meta.json" >"$1/meta.json"
    cp "$fixture/records.jsonl" "$1"
}

@test "emulated: a report and its figures say it" {
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    emulated_run run
    kept_quiet report run -o page
    grep -q '<p class="notice">Emulated run: no speed of a machine. Of what QEMU TCG executes results and instruction counts are right, but cycles' page/index.html
    kept_quiet figure knee --run run -o one
    grep -q "^subtitle = 'EMULATED by QEMU TCG, no speed of a machine  ·  " one/knee.gp
    grep -q 'EMULATED by QEMU TCG, no speed of a machine' one/knee.svg
    grep -q '^Measured: EMULATED by QEMU TCG' one/knee.txt
    refuses "a column has no heading to say so; leave --column out" figure knee --run run --column
}

@test "emulated: no other run is held against it" {
    emulated_run run
    cp -r "$BATS_TEST_DIRNAME/../../reports/fixtures/run" real
    local other
    for other in "report real run -o page" "report run real -o page" "figure machines_knee --run real --run run -o one" "compare real run" "compare run real" "compare run run"; do
        exit=4 refuses "run is of a machine that QEMU TCG emulates: its times are the emulator's" $other
    done
    refuses "run is of a machine that QEMU TCG emulates" baseline save main run
    echo '{"type":"gamma","name":"x","emulated":"gem5"}' >bare.jsonl
    exit=4 refuses "bare.jsonl is of a machine that gem5 emulates" compare real bare.jsonl
}

@test "emulated: a run is taken where it is named, and is never the newest" {
    local which
    emulated_run results/runs/machine/20990101T000000Z
    for which in report "figure knee" "baseline save main" "compare main"; do
        refuses "no run but of emulated machines below results" $which
    done
    cp -r "$BATS_TEST_DIRNAME/../../reports/fixtures/run" results/runs/machine/20260101T000000Z
    apart "$KNEEPOINT" baseline save main
    grep -q 20260101T000000Z results/baselines/main.json
}

@test "emulated: what chooses or judges by time is refused before it measures" {
    local which
    for which in "tune q4_0" "compare --live int2_vnni4.mask.avx2 int2_vnni4.mask.avx2" "compare --live --noise-floor=1 int2_vnni4.mask.avx2"; do
        KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" $which
        told $which
        [ "$status" -eq 2 ]
        [ -z "$stdout" ]
        [[ ${stderr%$'\n'} == *$'\n'"kneepoint ${which%% *}: nothing is measured here: the times would be the emulator's; run this on real hardware" ]]
        [ "$(ls)" = "$(printf 'err\nout')" ]
    done
}

@test "emulated: a characterization carries it, writes no platform file, and is not continued on a machine" {
    local run kernel
    # of one kernel: its plan has every kind of record all the same
    kernel_or_skip
    KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" characterize --budget=60 --only="$kernel"
    [ "$status" -eq 0 ]
    run=$(cat out)
    grep -q '^kneepoint characterize: emulated by QEMU TCG: ' err
    grep -q '^kneepoint characterize: no platform file: what QEMU TCG timed is no speed of a machine$' err
    [ ! -e "$run/platform.json" ]
    [ "$(jq -r .cpu.emulated "$run/meta.json")" = "QEMU TCG" ]
    jq -es 'map(select(.type == "machine" or .type == "beta" or .type == "gamma" or .type == "gemv")) | length > 3 and all(.emulated == "QEMU TCG")' "$run/records.jsonl"
    exit=4 refuses "another CPU: emulated 'QEMU TCG' there, false here" characterize --budget=60 --only="$kernel" --resume="$run"
}

@test "emulated: selftest does not judge what an emulator times, and judges the rest" {
    KNEEPOINT_EMULATED="QEMU TCG" apart "$KNEEPOINT" selftest --json || true
    jq -es '[.[] | select(.type == "selftest" and (.detail | startswith("this machine is emulated by QEMU TCG, whose times are not those of a core")))] |
        all(.verdict == "unavailable" and .value == null) and
        ([.[].name] | contains(["timer", "chains_agree", "sibling", "sample_cost", "chain_clock"]))' out
    jq -es '[.[] | select(.type == "selftest" and .verdict != "unavailable") | .name] | contains(["affinity", "context_switch", "page_fault"])' out
}
