#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Adding something is adding a file: each kind of file that the table in CONTRIBUTING.md names is dropped into a copy of the
# tree, and the copy is built once with all of them. The additions are files of ours under a new name. An instruction set is
# two files and a row, and a word in the rows of kernels that have it; nothing else is edited.
#
# shipped: the Makefile builds it in the copy.

bats_require_minimum_version 1.5.0

# The copy has the objects of the build under test, so that only what is new is compiled.
setup_file() {
    root=$(realpath "$BATS_TEST_DIRNAME/..")
    KNEEPOINT=$(realpath "${KNEEPOINT:-$root/build/kneepoint}")
    copy=$BATS_FILE_TMPDIR/tree
    export root copy
    mkdir "$copy"
    (cd "$root" && find . \( -path ./.git -o -path './build*' -o -path ./results/runs -o -path './results/*-*' \) -prune \
        -o \( -type f -o -type l \) -print0 | tar -c --null -T -) | tar -x -C "$copy"
    local objects=${KNEEPOINT%/kneepoint} build
    build=${objects#"$root"/}
    mkdir -p "$copy/$build"
    # but not what is linked of them, which is large, nor other builds
    tar -c -C "$objects" --exclude='*_test' --exclude='./kneepoint*' --exclude='*.a' --exclude='./aarch64*' --exclude='./san*' --exclude=./fuzz --exclude=./machines . |
        tar -x -C "$copy/$build"
    add_everything
    printf 'unknown 0\n' >"$copy/.revision"
    case $build in */san) set -- SAN=1 BUILD="${build%/san}" ;; *) set -- BUILD="$build" ;; esac
    make -C "$copy" "$@" all "$build/harness/cells/added/added_test" >"$BATS_FILE_TMPDIR/made" 2>&1 || { cat "$BATS_FILE_TMPDIR/made" >&2; return 1; }
    added=$copy/$build/kneepoint
    export added
}

# like FILE NEW [EDIT]: a new file made from one that is there, edited by sed.
like() {
    local from=$1 to=$2 edit=${3:-}
    mkdir -p "$copy/$(dirname "$to")"
    [ ! -e "$copy/$to" ] || { echo "$to is there already" >&2; return 1; }
    sed "$edit" "$copy/$from" >"$copy/$to"
}

add_everything() {
    local arch
    arch=$(uname -m)
    like platforms/known/graviton2.json platforms/known/added.json 's/"name": "graviton2"/"name": "added"/'
    like micro/shapes/llama3-8b.tsv micro/shapes/added-8b.tsv 's/llama3-8b/added-8b/'
    like reports/figures/own/latency.c reports/figures/own/added.c 's/"latency",$/"added",/; s/figure_latency/figure_added/'
    like reports/figures/own/latency.gp reports/figures/own/added.gp 's/latency\.dat/added.dat/g'
    like micro/quantizers/per_tensor.reference.c micro/quantizers/added.reference.c
    like platforms/counters/backends/tsc.c platforms/counters/backends/added.c 's/backend_tsc/backend_added/; s/"tsc"/"added"/'
    like results/engines/formats/threads_csv.c results/engines/formats/added.c 's/num_threads/added_threads/; s/format_threads_csv/format_added/; s/"T-MAC.s bench_e2e.py"/"added"/'
    like man/kneepoint-info.1 man/kneepoint-added.1 's/info/added/'
    mkdir "$copy/harness/cells/added"
    cp "$root"/harness/cells/fixtures/added.c "$root"/harness/cells/fixtures/added_test.c "$copy/harness/cells/added/"
    cat >"$copy/harness/cmd/added.c" <<'SOURCE'
/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/command/command.h"

static int run(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? EXIT_USAGE : EXIT_DONE;
}

const struct command command_added = {.name = "added", .summary = "nothing, well", .run = run};
SOURCE
    cat >"$copy/roofline/papers/added.json" <<'SOURCE'
{"kneepoint_papers": 1, "name": "added", "title": "An added paper", "values": {}, "claims": [
  {"id": "two", "section": "1", "says": "two and two are four", "formula": "A + B", "inputs": {"A": "=2", "B": "=2"}, "stated": "=4"}]}
SOURCE
    [ "$arch" = x86_64 ] || return 0
    like micro/streams/x86_64/read.avx2.S micro/streams/x86_64/added.avx2.S
    like micro/formats/int2_vnni4/int2_vnni4.mask.avx2.S micro/formats/int2_vnni4/int2_vnni4.added.avx2.S
    like micro/families/floats/float_dot.S micro/formats/f32/added.avx2.S
    like micro/families/block32/block32_rows.c micro/formats/q4_0/added.avx2.c
    # a format with a GEMV and a GEMM on three instruction sets, three files
    like micro/formats/q8_0/format.c micro/formats/added/format.c
    like micro/formats/q8_0/codes.h micro/formats/added/codes.h
    like micro/formats/q4_0/rows.cl micro/formats/added/step.cl
    cat >"$copy/micro/formats/added/kernels.def" <<'ROWS'
# SPDX-License-Identifier: BSD-3-Clause
format  format.c  BLOCK_ROWS=1 BLOCK_COLUMNS=32 BLOCK_BYTES=34 BLOCK_CODES=2 BLOCK_CHUNK=0 BLOCK_TURNED=0
rows  micro/families/block32/block32_rows.c    avx2 avx_vnni
step  step.cl                                  opencl WIDTH_LEAST=16 WIDTH_MOST=16
rows  micro/families/block32/block32_rows16.c  avx512_vnni                CODES_ARE_BYTES=1
tile  micro/families/block32/block32_tile.c    avx2 avx_vnni avx512_vnni  CODES_OF=added gamma=added.rows.*
ROWS
    # an instruction set: what its dot is in assembly and in C, and its row, for which nothing is compiled again but what lists the rows
    like micro/isa/dot.avx_vnni.inc micro/isa/dot.added_vnni.inc
    like micro/isa/products_avx_vnni.h micro/isa/products_added_vnni.h
    sed -i '/^ISA(avx_vnni,/{ p; s/avx_vnni,/added_vnni,/; s/ 30)/ 31)/ }' "$copy/platforms/isa.def"
    sed -i 's/^\(dot  *dot_256.S  *avx_vnni\)$/\1 added_vnni/' "$copy/micro/formats/int8_vnni4/kernels.def"
    sed -i '/^rows .* avx_vnni$/s/$/ added_vnni/' "$copy/micro/formats/added/kernels.def"
    touch -r "$root/platforms/isa.def" "$copy/platforms/isa.def"
    touch -r "$root/micro/formats/int8_vnni4/kernels.def" "$copy/micro/formats/int8_vnni4/kernels.def"
    rm "$copy/$build/platforms/cpu/isa.o"
    # a format that is a row, and its kernel
    mkdir "$copy/micro/families/added"
    cat >"$copy/micro/families/added/formats.def" <<'ROWS'
# SPDX-License-Identifier: BSD-3-Clause
added_64x96  micro/families/lookup/tl2_tiles_format.c  TL2_BM=64 TL2_BK=96
ROWS
    cat >"$copy/micro/families/added/kernels.def" <<'ROWS'
# SPDX-License-Identifier: BSD-3-Clause
added_*.tiles  micro/families/lookup/tl2_tiles_avx2.c  avx2
ROWS
}

@test "additions: nothing but new files" {
    cd "$copy"
    run diff -rq --exclude=.git --exclude='build*' --exclude=results --exclude=.revision "$root" .
    echo "$output"
    [ "$(grep -v '^Only in \.' <<<"$output")" = "Files $root/micro/formats/int8_vnni4/kernels.def and ./micro/formats/int8_vnni4/kernels.def differ
Files $root/platforms/isa.def and ./platforms/isa.def differ" ] || [ "$(uname -m)" != x86_64 ]
}

# lists WHAT NAME: the command lists it.
lists() {
    "$added" list "$1" >"$BATS_TEST_TMPDIR/list"
    grep -qE "^ *$2( |$)" "$BATS_TEST_TMPDIR/list" || { cat "$BATS_TEST_TMPDIR/list"; return 1; }
}

@test "additions: a described machine, the shapes of a model, a figure" {
    lists platforms added
    lists shapes added-8b
    lists figures added
}

@test "additions: a subcommand, its line in the help and its manual page" {
    "$added" added
    "$added" --help | grep -qE '^ *added +nothing, well$'
    grep -qx '\.It Xr kneepoint-added 1' "$(dirname "$added")/man/kneepoint.1"
}

@test "additions: a counter back end, in the list, the help, the manual page and the error" {
    "$added" info --json | grep -q '"type":"counters","name":"added",.*"works":'
    "$added" beta --help | tr -s ' \n' ' ' | grep -q 'Back end that counts: auto,.* added[, ]'
    grep -qx '\.It Cm added' "$(dirname "$added")/man/kneepoint-measuring.7"
    run "$added" beta --counters=abacus
    [ "$status" -eq 2 ]
    [[ $output == *"no counters 'abacus': choose auto, "*added* ]]
}

@test "additions: a format of an engine's results, in the list of those that are read" {
    cd "$BATS_TEST_TMPDIR"
    "$root/harness/gguf/fixtures/write_gguf" a.gguf tiny=1,F16
    printf 'added_threads,mean,std\n1,2,0\n' >results.csv
    run "$added" model a.gguf --beside results.csv
    [[ $output == *"results.csv does not say how many positions a token attends to"* ]]
    : >empty
    run "$added" model a.gguf --beside empty
    [[ $output == *"output of none of added, ollama --verbose, "* ]]
}

@test "additions: a kind of cells, planned, measured, recorded and restored" {
    cd "$copy"
    "$(dirname "$added")/harness/cells/added/added_test"
}

@test "additions: a paper's claims" {
    "$added" papers added | grep -q 'two'
}

@test "additions: a sequence, a kernel in assembly, one in C that is its own sequence, a format with rows, one that is a row" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: x86-64 kernels"
    lists sequences int2_vnni4.added.avx2
    lists kernels f32.added.avx2
    lists kernels q4_0.added.avx2
    lists sequences q4_0.added.avx2
    for kernel in added.rows.avx2 added.rows.avx_vnni added.rows.avx512_vnni added.tile.avx2 added.tile.avx_vnni added.tile.avx512_vnni \
        added_64x96.tiles.avx2; do
        lists kernels "$kernel"
    done
    lists sequences added.rows.avx2
    lists device-kernels added.step.opencl
    "$added" list kernels added f32.added q4_0.added --certificate
    grep -qx '\.Ss added_64x96' "$(dirname "$added")/man/kneepoint-formats.7"
}

@test "additions: an instruction set: a row, its dot in assembly and in C, and a word in the rows of kernels" {
    [ "$(uname -m)" = x86_64 ] || skip "not on this machine: x86-64 kernels"
    lists kernels int8_vnni4.dot.added_vnni
    lists kernels added.rows.added_vnni
    [ "$(diff "$root/platforms/isa.def" "$copy/platforms/isa.def" | grep -c "^[<>]")" -eq 1 ]
    # checked where this machine has it
    "$added" list kernels int8_vnni4.dot added.rows --certificate
}

@test "additions: CONTRIBUTING names the place of each" {
    for place in 'micro/formats/<format>/<format>.<sequence>.<isa>.S' 'micro/formats/<format>/<sequence>.<isa>.c' 'kernels.def' \
        'micro/formats/<format>/format.c' 'micro/formats/<format>/<step>.cl' 'formats.def' 'micro/streams/<arch>/read.<isa>.S' 'micro/quantizers/<name>.<isa>.c' \
        'micro/shapes/<model>.tsv' 'reports/figures/<paper>/<figure>.gp' \
        'platforms/known/<name>.json' 'micro/isa/dot.<isa>.inc' 'harness/cmd/<name>.c' 'roofline/papers/<paper>.json' \
        'platforms/counters/backends/<name>.c' 'harness/cells/<kind>/<kind>.c'; do
        grep -qF "$place" "$root/CONTRIBUTING.md" || { echo "no $place"; return 1; }
    done
}
