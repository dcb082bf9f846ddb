#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/source_rows.awk: what make knows of the rows of kernels.def, sequences.def and layers.def.

setup() {
    ROOT=$BATS_TEST_DIRNAME/..
    mkdir -p "$BATS_TEST_TMPDIR/micro/formats/new"
    cd "$BATS_TEST_TMPDIR"
}

# rows LINE...: what the rows of a new format become
rows() {
    printf '%s\n' "$@" >micro/formats/new/kernels.def
    awk -f "$ROOT/scripts/source_rows.awk" "$ROOT/platforms/isa.def" micro/formats/new/kernels.def
}

@test "source_rows: a kernel for each instruction set, with its source and macros" {
    run rows '# Kernels of a new format.' '' 'rows rows.c avx2 avx_vnni' 'panel micro/formats/all.S neon ROWS=8 gamma=new.rows.*' 'one one.c avx2 gamma=q4_0.rows.avx2'
    [ "$status" -eq 0 ]
    diff - <(echo "$output") <<'EXPECTED'
micro/formats/new/rows.avx2.c|micro/formats/new/rows.c
micro/formats/new/rows.avx_vnni.c|micro/formats/new/rows.c
micro/formats/new/panel.neon.c|micro/formats/all.S|-DROWS=8|-DSELF_MODEL='"new.rows.neon"'
micro/formats/new/one.avx2.c|micro/formats/new/one.c|-DSELF_MODEL='"q4_0.rows.avx2"'
EXPECTED
}

@test "source_rows: a sequence likewise" {
    mkdir -p micro/families/new
    echo 'new.rows4 new.S amx_int8 ROWS=4 BYTES=2.0' >micro/families/new/sequences.def
    [ "$(awk -f "$ROOT/scripts/source_rows.awk" "$ROOT/platforms/isa.def" micro/families/new/sequences.def)" = \
        'micro/families/new/new.rows4.amx_int8.S|micro/families/new/new.S|-DROWS=4|-DBYTES=2.0' ]
}

@test "source_rows: what is wrong in a row is said with its place" {
    [ "$(rows 'rows rows.c avx22' | tr '~' ' ' | grep '^!')" = "!micro/formats/new/kernels.def:1: 'avx22' is no instruction set of platforms/isa.def and no MACRO=value" ]
    [ "$(rows '# no source' 'rows avx2' | tr '~' ' ')" = "!micro/formats/new/kernels.def:2: after the name 'rows' comes its source, a file .c or .S, not 'avx2'" ]
    [ "$(rows 'rows rows.c ROWS=8' | tr '~' ' ')" = "!micro/formats/new/kernels.def:1: 'rows' has no instruction set" ]
    [ "$(rows 'rows rows.c avx2' 'rows rows_256.c avx2' | tr '~' ' ' | grep '^!')" = "!micro/formats/new/kernels.def:2: a row before this one has 'rows' for avx2" ]
}

# make_says LINE: make, with these rows and what else is in the folder, ends with this line.
make_says() {
    mkdir -p tree/micro/formats/new
    (cd "$ROOT" && tar cf - Makefile packaging plugins/plugins.mk platforms/isa.def scripts/source_rows.awk) | tar xf - -C tree
    cp micro/formats/new/* tree/micro/formats/new/
    run env -u MAKEFLAGS -u MAKELEVEL make -s -C tree -n
    [ "$status" -eq 2 ]
    [ "$(grep -cF "$1" <<<"$output")" -eq 1 ] || { echo "$output"; return 1; }
}

@test "source_rows: make stops at a wrong row, in one line" {
    rows 'rows rows.c avx22' >rows
    make_says "kernels.def:1: 'avx22' is no instruction set of platforms/isa.def and no MACRO=value"
}

@test "source_rows: make stops where a kernel has a row and a file" {
    rows 'rows rows.c avx2' >rows
    for file in rows.avx2.c rows.avx2.S; do
        touch "micro/formats/new/$file"
        make_says "micro/formats/new/$file is a file, and a row beside it names another source: remove one of them"
        rm -r "micro/formats/new/$file" tree
    done
}
