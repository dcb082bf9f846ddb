#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Every command that measures, interrupted: it ends with 130, prints what it has and says what is saved. The stand-in of the sampler sends
# the signals at a given take (harness/measure/sampler_standin.c), so nothing here depends on time.

load ../measuring

# interrupted TAKE SIGNALS COMMAND...: exit 130; standard output in file out, standard error in file err, its last line says so.
interrupted() {
    local at=$1 signals=$2
    shift 2
    KNEEPOINT_SIGNAL_AT=$at KNEEPOINT_SIGNALS=$signals apart "$KNEEPOINT" "$@"
    told "$@"
    [ "$status" -eq 130 ]
    tail -n 1 err | grep -q "^kneepoint $1: interrupted"
    ! grep -q '\^C' err
}

# cut_off: what was printed as text ends by saying that it is cut off.
cut_off() {
    tail -n 1 out | grep -qE '^cut off: at least 6 samples in [0-9]+ cells, fewer in [0-9]+, none in [0-9]+$'
    tail -n 1 err | grep -q 'interrupted; what was measured is printed, but not saved (--results saves it)$'
}

@test "interrupted: beta prints the streams so far, and its latency" {
    interrupted 1 INT beta --threads 1
    [ ! -s out ]
    kept_quiet beta --threads 1 --level L1 --results kept
    takes=$(grep -c '"type":"samples"' kept/runs/*/*/records.jsonl) # the more streams a CPU has, the more; some more or less
    interrupted $((takes + takes / 2)) TERM beta --threads 1 --level all
    cut_off
    grep -q '^level ' out
    interrupted 1 INT beta --latency --threads 1
    cut_off
}

@test "interrupted: beta --json has written each roof when the next is measured" {
    [ "$(most_threads)" -gt 1 ] || skip "not on this machine: one CPU has one roof a level"
    kept_quiet beta --threads 1 --level L1 --json --results kept
    takes=$(grep -c '"type":"samples"' kept/runs/*/*/records.jsonl)
    for signals in INT "INT TERM"; do # the second leaves no time to write
        KNEEPOINT_SIGNAL_AT=$((takes + takes / 2)) KNEEPOINT_SIGNALS=$signals apart "$KNEEPOINT" beta --level L1 --json
        told "$signals, $takes takes of one thread"
        [ "$status" -eq 130 ]
        lines_have beta bytes_per_s
    done
}

# killed TYPE COMMAND...: SIGKILL, which leaves no time to write, at the first sample that is taken when there is a line, of this type.
killed() {
    local type=$1
    shift
    KNEEPOINT_SIGNAL_AT=$PWD/out KNEEPOINT_SIGNALS=KILL apart "$KNEEPOINT" "$@" --json 2>/dev/null # what bash says of the kill
    told "$*"
    [ "$status" -eq 137 ]
    lines_have "$type" name
    [ "$(tail -n 1 out | grep -c '}$')" -eq 1 ] # whole
}

@test "interrupted: with --json lines that are final have been written when a command is killed" {
    kernel_or_skip
    sequence_or_skip
    killed gamma gemv "$kernel" --shape 64x1024 --threads 1 --warm --samples 6
    killed gamma decode "$kernel" --model bitnet-700m --head same --layers 1 --threads 1 --samples 6
    unpacking=$("$KNEEPOINT" list kernels --json | grep '"unpacks_alone":true' | grep '"runs":true' | sed -n '1s/.*"name":"\([^"]*\)".*/\1/p')
    [ -n "$unpacking" ] || return 0 # not on this machine
    killed gamma gamma "$sequence" "$unpacking" --samples 6
    killed unpack gemm "$unpacking" --shape 64x1024 --tokens 2 --threads 1 --warm --samples 6
}

@test "interrupted: with --json lines are the summaries that are saved in the end, those that were printed before it, too" {
    kernel_or_skip
    for type in gemv decode; do
        case $type in
        gemv) kept_quiet gemv "$kernel" --shape 64x1024 --threads 1 --warm --samples 6 --json --results "$type" ;;
        decode) kept_quiet decode "$kernel" --model bitnet-700m --head same --layers 1 --threads 1 --samples 6 --json --results "$type" ;;
        esac
        sed -E '/^\{"type":"(beta|pool|gemv|repack|read|'$type'|run)"/,$d' out >early
        [ -s early ]
        # but for what limits a sequence, which the issue width tells, and that is known better in the end
        sed 's/"bound":"[^"]*"/"bound":null/' "$type"/runs/*/*/records.jsonl >saved
        [ -z "$(sed 's/"bound":"[^"]*"/"bound":null/' early | grep -vFx -f saved)" ]
        # and those that come at the end are printed as they are saved, with the roof that was chosen for all
        [ -z "$(grep "^{\"type\":\"$type\"" out | grep -vFx -f "$type"/runs/*/*/records.jsonl)" ]
    done
}

@test "interrupted: gamma prints the sequences so far, and streams JSON Lines" {
    sequence_or_skip
    interrupted 1 INT gamma "$sequence"
    cut_off
    grep -q "^$sequence" out
    interrupted 1 TERM gamma "$sequence" --json
    lines_have gamma gamma
    lines_have interrupted cells cells_few cells_unreached
    [ "$(tail -n 1 out | cut -d, -f1)" = '{"type":"interrupted"' ]
}

@test "interrupted: gemv prints what it has, and nothing where it has none" {
    kernel_or_skip
    interrupted 1 INT gemv "$kernel" --shape 64x1024 --threads 1 --warm
    [ ! -s out ]
    grep -q 'interrupted before there was anything to print$' err
    interrupted 1 INT gemv "$kernel" --shape 64x1024 --threads 1 --warm --json
    lines_have interrupted cells
}

@test "interrupted: gemm, knee, tune, terms, bias and decode" {
    kernel_or_skip
    sequence_or_skip
    for command in "gemm --shape 64x1024 --tokens 2 --warm" "decode $kernel --model bitnet-700m --head same --layers 1" \
        "tune $kernel --shape 64x1024 --tokens 1 --budget 10 --out table" "knee $sequence --level L1" "terms --shape 64x1024"; do
        interrupted 1 TERM $command --threads 1
    done
    [ ! -e table ]
    interrupted 3 INT terms --threads 1
    cut_off
    interrupted 3 TERM bias
    cut_off
}

# How many takes come before the GEMVs depends on the machine: the first of these interruptions that leaves a row is judged.
@test "interrupted: gemv prints a row of what has samples" {
    kernel_or_skip
    for at in $(seq 20 10 400); do
        KNEEPOINT_SIGNAL_AT=$at KNEEPOINT_SIGNALS=TERM apart "$KNEEPOINT" gemv "$kernel" --shape 64x1024 --warm --samples 6 --threads 1
        [ "$status" -eq 130 ]
        [ ! -s out ] || break
    done
    told "take $at"
    cut_off
    grep -q "^$kernel " out
}

@test "interrupted: model --decode prints what is predicted, and that nothing was measured" {
    "$BATS_TEST_DIRNAME/../../gguf/fixtures/write_gguf" a.gguf model=1
    interrupted 1 INT model a.gguf --decode
    grep -q 'GiB in 1 file: a.gguf' out
}

@test "interrupted: compare --live has no verdict before there are pairs" {
    sequence_or_skip
    interrupted 1 INT compare --live "$sequence" "$sequence" --threads 1
    [ ! -s out ]
    grep -q 'interrupted before anything was measured$' err
}

@test "interrupted: compare --live judges by the pairs so far, if there are five" {
    sequence_or_skip
    for at in $(seq 40 6 300); do
        KNEEPOINT_SIGNAL_AT=$at KNEEPOINT_SIGNALS=TERM apart "$KNEEPOINT" compare --live "$sequence" "$sequence" --cell 'gamma*' --threads 1 --blocks 41
        [ "$status" -eq 130 ]
        [ ! -s out ] || break
    done
    told "take $at"
    tail -n 1 err | grep -qE 'interrupted; the verdict is of the ([5-9]|[1-9][0-9]+) pairs so far, which are not saved \(--keep saves them\)$'
    grep -q '^geometric mean of 1 cell' out
}

@test "interrupted: with --results every sample so far is kept, whole, and the run is named" {
    kernel_or_skip
    interrupted 5 TERM gemv "$kernel" --shape 64x1024 --threads 1 --warm --results kept
    run=$(sed -n 's/^kneepoint gemv: interrupted; the samples so far are in //p' err)
    [ -s "$run/meta.json" ]
    cp "$run/records.jsonl" out
    lines_have samples tsc_hz
    tail -n 1 out | grep -q '^{"type":"end","name":"gemv","complete":false,"interrupted":true,'
    kept_quiet gemv "$kernel" --shape 64x1024 --threads 1 --warm --samples 2 --into "$run"
}

@test "interrupted: a second signal ends at once" {
    sequence_or_skip
    for signals in "TERM INT" "INT TERM" "HUP INT" "INT 1500 INT"; do
        KNEEPOINT_SIGNAL_AT=1 KNEEPOINT_SIGNALS=$signals apart "$KNEEPOINT" gamma "$sequence"
        told "$signals"
        [ "$status" -eq 130 ]
        [ -z "$stdout" ]
        one_line "kneepoint gamma: interrupted"
    done
}

# as timeout(1) sends it, to the command and then to the command's process group
@test "interrupted: the same signal twice at once counts as one" {
    sequence_or_skip
    for signals in "INT INT" "TERM TERM TERM"; do
        interrupted 1 "$signals" gamma "$sequence"
        cut_off
    done
}

@test "interrupted: a hang-up, unless it is ignored as nohup does" {
    sequence_or_skip
    interrupted 1 HUP gamma "$sequence"
    cut_off
    trap '' HUP
    KNEEPOINT_SIGNAL_AT=1 KNEEPOINT_SIGNALS=HUP apart "$KNEEPOINT" gamma "$sequence"
    told gamma
    [ "$status" -eq 0 ]
}

# The block that runs is told to end; its last record says that it did.
@test "interrupted: no block of characterize outlives a second signal" {
    kernel_or_skip
    KNEEPOINT_SIGNAL_AT=30 KNEEPOINT_SIGNALS="INT TERM" apart "$KNEEPOINT" characterize --budget 60 --blocks 2 --only "$kernel" --results kept
    told characterize
    [ "$status" -eq 130 ]
    for _ in $(seq 600); do
        tail -n 1 kept/runs/*/*/records.jsonl | grep -q '"type":"end".*"interrupted":true' && break
        sleep 0.1
    done
    tail -n 1 kept/runs/*/*/records.jsonl | grep -q '"type":"end".*"interrupted":true'
}
