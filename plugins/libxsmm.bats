#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapter of libxsmm against a stand-in that has the same entry points: plugins/fixtures/libxsmm.

load ../harness/cmd/measuring

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
STANDIN=$ROOT/plugins/fixtures/libxsmm

setup_file() {
    case ${KNEEPOINT:-} in */san/*) return ;; esac
    cd "$BATS_FILE_TMPDIR"
    mkdir -p xsmm/lib
    cp -r "$STANDIN/include" xsmm
    library
    adapter >made
}

setup() {
    case ${KNEEPOINT:-} in */san/*) skip 'not on this machine: the stand-in is built without sanitizers' ;; esac
    KNEEPOINT=${KNEEPOINT:-$ROOT/build/kneepoint-steady}
    cd "$BATS_FILE_TMPDIR"
}

library() { # FLAG...
    "${CC:-cc}" -O2 -shared -fPIC "$@" -Ixsmm/include -o xsmm/lib/libxsmm.so "$STANDIN/libxsmm.c" -pthread
}

adapter() {
    "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS=plugins/libxsmm.c CFLAGS=-O0 LIBXSMM="$PWD/xsmm"
}

@test "libxsmm: the products that it makes code of, GEMV and GEMM, beside ours" {
    cat made
    grep -q "^built .*/b/plugins/libxsmm.so: LIBXSMM=.*/xsmm, no git checkout; libxsmm.so [0-9a-f]*$" made
    "$KNEEPOINT" list kernels --plugin b/plugins/libxsmm.so | grep -E '\.libxsmm ' | cut -d ' ' -f 1 >names
    diff names - <<<'f32_columns.libxsmm
int8_vnni4.libxsmm'
    apart "$KNEEPOINT" gemm --plugin b/plugins/libxsmm.so f32_columns int8_vnni4.libxsmm --shape 64x64 --threads 1 --samples 2 --warm --json --tokens 1,6
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(grep -cE '"type":"gemm","name":"(f32_columns|int8_vnni4).libxsmm.reference".*"plugin":"libxsmm"' out)" -eq 4 ]
}

@test "libxsmm: on a CPU with tiles 4 bits are made for one without, and all else for the CPU that is there" {
    library -DSTANDIN_TARGET=1104
    "$KNEEPOINT" list kernels --plugin b/plugins/libxsmm.so | grep -E '\.libxsmm ' | cut -d ' ' -f 1 >names
    diff names - <<<'f32_columns.libxsmm
int4_xsmm_m64.libxsmm
int8_vnni4.libxsmm'
}

@test "libxsmm: a product that is wrong is named and left out; a library without code for this CPU is refused" {
    library -DSTANDIN_WRONG
    apart "$KNEEPOINT" gemv --plugin b/plugins/libxsmm.so f32_columns int8_vnni4.libxsmm --shape 64x64 --threads 1 --samples 2 --warm
    [ "$status" -eq 1 ]
    grep -q 'f32_columns.libxsmm.reference differs .*; it is left out$' err
    grep -q 'int8_vnni4.libxsmm.reference differs .*; it is left out$' err
    library -DSTANDIN_NO_CODE
    refuses "b/plugins/libxsmm.so will not be measured here: libxsmm makes no code for this CPU" list kernels --plugin b/plugins/libxsmm.so
}

@test "libxsmm: an older release is refused when it is built, in one line, and nothing is left of it" {
    sed -i 's/^#define LIBXSMM_VERSION_MAJOR 2/#define LIBXSMM_VERSION_MAJOR 1/' xsmm/include/libxsmm.h
    run adapter
    [ "$status" -ne 0 ]
    [[ $output == *"failed: libxsmm: it does not compile: "*"this plug-in is written for libxsmm 2"* ]]
    [ ! -e b/plugins/libxsmm.so ]
}
