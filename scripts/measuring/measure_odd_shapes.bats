#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/measuring/measure_odd_shapes: the commands that it would run, and tables of records that a stand-in for the program gives. Nothing is measured.

setup() {
    command -v jq >/dev/null || skip "not on this machine: jq is not installed"
    SCRIPT=$BATS_TEST_DIRNAME/measure_odd_shapes
    TOOL=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

# a cell: kernel, shape, share of the roof, samples, what a read of its bytes attains of the roof
cell() {
    printf '{"type":"gemv","origin":"kneepoint","format":"f16","name":"%s","m":%s,"k":%s,"packed_bytes":%s,' "$1" "${2%x*}" "${2#*x}" "$((${2/x/*}))"
    printf '"time_s":{"median":1e-5},"roof_fraction":{"median":%s,"ci95":[%s,%s],"n":%s},"read_roof_fraction":%s}\n' "$3" "$3" "$3" "$4" "${5:-1}"
}

# the program lists its kernels as ever, and "measures" what the file `cells` holds
stand_in() {
    printf '#!/bin/sh\ncase "$1" in\nlist) exec "%s" "$@" ;;\nesac\necho "$*" >>asked\ncat cells\n' "$TOOL" >kneepoint
    chmod +x kneepoint
}

@test "measure_odd_shapes: --print shows a command a format, with the shapes that its blocks divide" {
    KNEEPOINT=$TOOL "$SCRIPT" --print q4_0 q2_k >commands
    [ "$(wc -l <commands)" -eq 2 ]
    [ "$(sed -n 1p commands | grep -oE -- '--shape=[0-9x]+' | sort -u | wc -l)" -eq 21 ]
    head -n 1 commands | grep -q -- '--cold --reads --best --threads=1 .*--shape=4096x4096 .*--shape=320x1600 .* q4_0$'
    [ "$(sed -n 2p commands | grep -c 320x1600)" -eq 0 ]
    sed -n 2p commands | grep -q -- '--shape=1000x4352 '
}

@test "measure_odd_shapes: what loses more than 3% of its share is marked, and what has few samples is not judged" {
    stand_in
    # 320x1600 attains 0.7 of the roof, and a read of as many bytes 0.8: 0.875 of that, where 4096x4096 has 0.9; 4800x1600 0.8 of a read that was not kept
    { cell f16.dot.avx512 4096x4096 0.9 9; cell f16.dot.avx512 320x1600 0.7 9 0.8; cell f16.dot.avx512 1600x1600 0.8 9; cell f16.dot.avx512 2000x768 0.1 5
      cell f16.dot.avx512 4800x1600 0.1 9 null; } >cells
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=records f16
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "shape "*"read "*f16.dot.avx512* ]]
    grep -qE '^4096x4096 +1 +0.9$' <<<"$output"
    grep -qE '^320x1600 +0.8 +0.875$' <<<"$output"
    grep -qE '^1600x1600 +1 +0.8\*$' <<<"$output"
    grep -qE '^2000x768 +1 +\?$' <<<"$output"
    grep -qE '^4800x1600 +\? +\?$' <<<"$output"
    grep -qE '^1000x4352 +\? +-$' <<<"$output"
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=records --markdown f16
    [ "$status" -eq 1 ]
    [ "${lines[2]}" = '| f16.dot.avx512 | 0.9 | 0.9 | 0.8 | 1 of 4 | 1600x1600 0.8 (0.8) |' ]
    # what is there is not measured again
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=records f16
    [ "$status" -eq 1 ]
    [ "$(wc -l <asked)" -eq 1 ]
}

@test "measure_odd_shapes: nothing is marked where each share of a read holds, far as the roof may be" {
    stand_in
    { cell f16.dot.avx512 4096x4096 0.9 9; cell f16.dot.avx512 320x1600 0.45 9 0.5; } >cells
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --markdown f16
    [ "$status" -eq 0 ]
    [ "${lines[2]}" = '| f16.dot.avx512 | 0.9 | 0.9 | 0.9 | 1 of 1 |  |' ]
}

@test "measure_odd_shapes: it refuses what it cannot do, exit 2" {
    KNEEPOINT=$TOOL run "$SCRIPT" --all
    [ "$status" -eq 2 ]
    [[ $output == "measure_odd_shapes: unknown option '--all'"* ]]
    KNEEPOINT=$TOOL run "$SCRIPT" q9_9
    [ "$status" -eq 2 ]
    [[ $output == *"no format 'q9_9'"* ]]
    stand_in
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=none/records f16
    [ "$status" -eq 2 ]
    [ "$output" = "measure_odd_shapes: cannot write 'none/records'" ]
    echo '{"type' >torn
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=torn f16
    [ "$status" -eq 2 ]
    [ "$output" = "measure_odd_shapes: 'torn' is no list of records" ]
    cell f16.dot.avx512 4096x4096 0.9 9 | sed 's/,"read_roof_fraction":1//' >former
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT" --records=former f16
    [ "$status" -eq 2 ]
    [[ $output == "measure_odd_shapes: 'former' has no reads beside its products"* ]]
    [ ! -e asked ]
}
