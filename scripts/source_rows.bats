#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/source_rows.awk: what make knows of the rows of kernels.def, sequences.def, layers.def and formats.def.

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
    run rows '# Kernels of a new format.' '' 'rows rows.c avx2 avx_vnni' 'panel micro/formats/all.S neon ROWS=8 gamma=new.rows.*' 'one one.c avx2 gamma=q4_0.rows.avx2' 'tile tile.c avx2 tiles=q4_0.tile.*'
    [ "$status" -eq 0 ]
    diff - <(echo "$output") <<'EXPECTED'
micro/formats/new/rows.avx2.c|micro/formats/new/rows.c|micro/formats/new/kernels.def
micro/formats/new/rows.avx_vnni.c|micro/formats/new/rows.c|micro/formats/new/kernels.def
micro/formats/new/panel.neon.c|micro/formats/all.S|micro/formats/new/kernels.def|-DROWS=8|-DSELF_MODEL='"new.rows.neon"'
micro/formats/new/one.avx2.c|micro/formats/new/one.c|micro/formats/new/kernels.def|-DSELF_MODEL='"q4_0.rows.avx2"'
micro/formats/new/tile.avx2.c|micro/formats/new/tile.c|micro/formats/new/kernels.def|tiles:q4_0.tile.avx2
EXPECTED
}

@test "source_rows: a step in OpenCL C is for opencl alone, and nothing else is" {
    run rows 'format format.c ROWS=32' 'mask micro/families/planes/planes.cl opencl LANES=8' 'mask mask.c avx2'
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = 'micro/formats/new/mask.opencl.cl|micro/families/planes/planes.cl|micro/formats/new/kernels.def|-DLANES=8' ]
    [ "${lines[2]}" = 'micro/formats/new/mask.avx2.c|micro/formats/new/mask.c|micro/formats/new/kernels.def' ]
    rows 'mask mask.cl avx2' | tr '~' ' ' | grep -qF "!micro/formats/new/kernels.def:1: 'avx2' is not opencl, which a .cl is compiled for, and no MACRO=value"
    rows 'mask mask.c opencl' | tr '~' ' ' | grep -qF "!micro/formats/new/kernels.def:1: 'opencl' is no instruction set of platforms/isa.def and no MACRO=value"
}

@test "source_rows: the sizes of a format, which are its own and no kernel" {
    run rows 'format format.c BLOCK_ROWS=1 BLOCK_BYTES=18' 'rows rows.c avx2 ROWS=8'
    [ "$status" -eq 0 ]
    diff - <(echo "$output") <<'EXPECTED'
micro/formats/new/format.c|micro/formats/new/format.c|micro/formats/new/kernels.def|-DBLOCK_ROWS=1|-DBLOCK_BYTES=18
micro/formats/new/rows.avx2.c|micro/formats/new/rows.c|micro/formats/new/kernels.def|-DROWS=8
EXPECTED
    [ "$(rows 'format rows.c BLOCK_ROWS=1' | tr '~' ' ' | grep '^!')" = "!micro/formats/new/kernels.def:1: the row 'format' has the sizes of format.c, not of 'rows.c'" ]
    [ "$(rows 'format format.c avx2' | tr '~' ' ' | grep '^!')" = "!micro/formats/new/kernels.def:1: 'avx2' is no MACRO=value" ]
}

@test "source_rows: a sequence likewise" {
    mkdir -p micro/families/new
    echo 'new.rows4 new.S amx_int8 ROWS=4 BYTES=2.0' >micro/families/new/sequences.def
    [ "$(awk -f "$ROOT/scripts/source_rows.awk" "$ROOT/platforms/isa.def" micro/families/new/sequences.def)" = \
        'micro/families/new/new.rows4.amx_int8.S|micro/families/new/new.S|micro/families/new/sequences.def|-DROWS=4|-DBYTES=2.0' ]
}

@test "source_rows: formats, a kernel of one of them and of all that begin so" {
    printf '%s\n' '# Formats.' 'new_2 all.c BITS=2' 'new_4 micro/all.c BITS=4 ROWS=8' 'other all.c' >micro/formats/new/formats.def
    awk -f "$ROOT/scripts/source_rows.awk" "$ROOT/platforms/isa.def" micro/formats/new/formats.def | diff - <(cat <<'EXPECTED'
micro/formats/new_2/format.c|micro/formats/new/all.c|micro/formats/new/formats.def|-DBITS=2
micro/formats/new_4/format.c|micro/all.c|micro/formats/new/formats.def|-DBITS=4|-DROWS=8
micro/formats/other/format.c|micro/formats/new/all.c|micro/formats/new/formats.def
EXPECTED
)
    rows 'new_*.rows rows.c avx2' 'new_4.tile tile.c avx2 TOKENS=4' 'rows rows.c avx2' | diff - <(cat <<'EXPECTED'
micro/formats/new_2/rows.avx2.c|micro/formats/new/rows.c|micro/formats/new/kernels.def
micro/formats/new_4/rows.avx2.c|micro/formats/new/rows.c|micro/formats/new/kernels.def
micro/formats/new_4/tile.avx2.c|micro/formats/new/tile.c|micro/formats/new/kernels.def|-DTOKENS=4
micro/formats/new/rows.avx2.c|micro/formats/new/rows.c|micro/formats/new/kernels.def
EXPECTED
)
    [ "$(rows 'new_8.rows rows.c avx2' | tr '~' ' ')" = "!micro/formats/new/kernels.def:1: no row of formats.def beside it is 'new_8'" ]
    [ "$(rows 'new_*.rows rows.c avx2' 'new_4.rows all.c avx2' | tr '~' ' ' | grep '^!')" = "!micro/formats/new/kernels.def:2: a row before this one has 'new_4.rows' for avx2" ]
    echo 'new_2 all.c avx2' >micro/formats/new/formats.def
    [ "$(awk -f "$ROOT/scripts/source_rows.awk" "$ROOT/platforms/isa.def" micro/formats/new/formats.def | tr '~' ' ' | grep '^!')" = \
        "!micro/formats/new/formats.def:1: 'avx2' is no MACRO=value" ]
}

@test "source_rows: what is wrong in a row is said with its place" {
    [ "$(rows 'rows rows.c avx22' | tr '~' ' ' | grep '^!')" = "!micro/formats/new/kernels.def:1: 'avx22' is no instruction set of platforms/isa.def and no MACRO=value" ]
    [ "$(rows '# no source' 'rows avx2' | tr '~' ' ')" = "!micro/formats/new/kernels.def:2: after the name 'rows' comes its source, a file .c, .S or .cl, not 'avx2'" ]
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
