#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/kernel_rows.awk: what make knows of the rows of kernels.def.

setup() {
    ROOT=$BATS_TEST_DIRNAME/..
    mkdir -p "$BATS_TEST_TMPDIR/micro/kernels/new"
    cd "$BATS_TEST_TMPDIR"
}

# rows LINE...: what the rows of a new format become
rows() {
    printf '%s\n' "$@" >micro/kernels/new/kernels.def
    awk -f "$ROOT/scripts/kernel_rows.awk" "$ROOT/platforms/isa.def" micro/kernels/new/kernels.def
}

@test "kernel_rows: a kernel for each instruction set, with its source and macros" {
    run rows '# Kernels of a new format.' '' 'rows rows.c avx2 avx_vnni' 'panel micro/kernels/all.S neon ROWS=8 gamma=new.rows.*' 'one one.c avx2 gamma=q4_0.rows.avx2'
    [ "$status" -eq 0 ]
    diff - <(echo "$output") <<'EXPECTED'
micro/kernels/new/rows.avx2.c|micro/kernels/new/rows.c
micro/kernels/new/rows.avx_vnni.c|micro/kernels/new/rows.c
micro/kernels/new/panel.neon.c|micro/kernels/all.S|-DROWS=8|-DSELF_MODEL='"new.rows.neon"'
micro/kernels/new/one.avx2.c|micro/kernels/new/one.c|-DSELF_MODEL='"q4_0.rows.avx2"'
EXPECTED
}

@test "kernel_rows: what is wrong in a row is said with its place" {
    [ "$(rows 'rows rows.c avx22' | tr '~' ' ' | grep '^!')" = "!micro/kernels/new/kernels.def:1: 'avx22' is no instruction set of platforms/isa.def and no MACRO=value" ]
    [ "$(rows '# no source' 'rows avx2' | tr '~' ' ')" = "!micro/kernels/new/kernels.def:2: after the sequence 'rows' comes its source, a file .c or .S, not 'avx2'" ]
    [ "$(rows 'rows rows.c ROWS=8' | tr '~' ' ')" = "!micro/kernels/new/kernels.def:1: the sequence 'rows' has no instruction set" ]
    [ "$(rows 'rows rows.c avx2' 'rows rows_256.c avx2' | tr '~' ' ' | grep '^!')" = "!micro/kernels/new/kernels.def:2: a row before this one has 'rows' for avx2" ]
}

@test "kernel_rows: make stops at a wrong row, in one line" {
    printf 'rows rows.c avx22\n' >"$BATS_TEST_TMPDIR/kernels.def"
    mkdir tree
    (cd "$ROOT" && tar cf - Makefile packaging plugins/plugins.mk platforms/isa.def scripts/kernel_rows.awk) | tar xf - -C tree
    mkdir -p tree/micro/kernels/new
    cp kernels.def tree/micro/kernels/new/
    run env -u MAKEFLAGS -u MAKELEVEL make -s -C tree -n
    [ "$status" -eq 2 ]
    [ "$(grep -c "kernels.def:1: 'avx22' is no instruction set of platforms/isa.def and no MACRO=value" <<<"$output")" -eq 1 ]
}
