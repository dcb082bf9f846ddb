#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapters of ggml and ik_llama.cpp against stand-ins that have the same entry points: plugins/fixtures/ggml.

load ../harness/cmd/measuring

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
STANDIN=$ROOT/plugins/fixtures/ggml

setup_file() {
    case ${KNEEPOINT:-} in */san/*) return ;; esac
    cd "$BATS_FILE_TMPDIR"
    mkdir -p ggml/build/bin ik/ggml/src/iqk ik/build
    cp -r "$STANDIN/include" ggml
    cp -r "$STANDIN/include" ik/ggml
    mv ik/ggml/include/iqk_mul_mat.h ik/ggml/src/iqk
    sed -i '1i #define STANDIN_IK' ik/ggml/include/ggml.h
    library
    "${CC:-cc}" -shared -fPIC -x c /dev/null -o ggml/build/bin/libggml.so
    "${CC:-cc}" $FAST -shared -fPIC -Iik/ggml/include -Iik/ggml/src/iqk -o ik/build/libggml.so "$STANDIN/ggml.c" -lm
    "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS="plugins/ggml.cpp plugins/ik_llama.cpp" CFLAGS=-O0 LLAMA="$PWD/ggml" IK_LLAMA="$PWD/ik" >made
}

setup() {
    case ${KNEEPOINT:-} in */san/*) skip 'not on this machine: the stand-ins are built without sanitizers' ;; esac
    KNEEPOINT=${KNEEPOINT:-$ROOT/build/kneepoint-steady}
    cd "$BATS_FILE_TMPDIR"
}

# native: so that conversions of 16-bit floats are instructions; the others, so that loops over a block are vectors: checks prepare
# thousands of rows, which took nine tenths of these tests.
FAST='-O3 -march=native -ffinite-math-only -fno-signed-zeros -fno-trapping-math'

# library FLAG...: the stand-in, as the libraries that ggml's build makes.
library() {
    "${CC:-cc}" $FAST -shared -fPIC "$@" -Iggml/include -o ggml/build/bin/libggml-base.so "$STANDIN/ggml.c" -lm
}

checked() { # PLUGIN KERNEL...: all of its kernels are checked, these measured
    local plugin=$1
    shift
    apart "$KNEEPOINT" "$command" --plugin "$plugin" "$@" --shape 64x64 --threads 1 --samples 2 --warm --json ${tokens-}
    echo "exit $status, standard error '$(cat err)'"
}

@test "ggml: rows and repacked layouts, GEMV and GEMM, beside ours" {
    cat made
    grep -q "^built .*/b/plugins/ggml.so: LLAMA=.*/ggml, no git checkout; libggml.so [0-9a-f]*$" made
    "$KNEEPOINT" list kernels --plugin b/plugins/ggml.so | grep -E '\.ggml ' | cut -d ' ' -f 1 >names
    diff names - <<<'q4_0.ggml
q4_0_8x8.ggml'
    "$KNEEPOINT" list kernels --plugin b/plugins/ggml.so --plugin b/plugins/ik_llama.so >both # which share nothing
    [ "$(grep -cE '\.(ggml|iqk) ' both)" -eq 4 ]
    command=gemm tokens='--tokens 1,6' checked b/plugins/ggml.so q4_0.ggml q4_0_8x8.ggml
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(grep -cE '"type":"gemm","name":"q4_0(_8x8)?.ggml.reference".*"within_bound":true.*"plugin":"ggml"' out)" -eq 4 ]
}

@test "ggml: a product that is wrong is named and left out; a library without the CPU's backend is refused" {
    library -DSTANDIN_WRONG
    command=gemv checked b/plugins/ggml.so q4_0.ggml q4_0_8x8.ggml
    [ "$status" -eq 1 ]
    grep -q 'q4_0.ggml.reference differs .*; it is left out$' err
    grep -q 'q4_0_8x8.ggml.reference differs .*; it is left out$' err
    library -DSTANDIN_NO_CPU
    refuses "b/plugins/ggml.so will not be measured here: ggml's CPU backend, " list kernels --plugin b/plugins/ggml.so
}

@test "ik_llama: rows and interleaved rows in sixteens; what its build does not multiply is left out" {
    cat made
    "$KNEEPOINT" list kernels --plugin b/plugins/ik_llama.so | grep -E '\.iqk ' | cut -d ' ' -f 1 >names
    diff names - <<<'iqk_q4_0_r8.iqk
q4_0.iqk'
    command=gemm tokens='--tokens 1,6' checked b/plugins/ik_llama.so q4_0.iqk iqk_q4_0_r8.iqk
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(grep -cE '"type":"gemm","name":"(iqk_)?q4_0(_r8)?.iqk.reference".*"within_bound":true.*"plugin":"ik_llama"' out)" -eq 4 ]
    run "$KNEEPOINT" gemv --plugin b/plugins/ik_llama.so iqk_q4_0_r8.iqk --shape 24x64 --threads 1
    [ "$status" -eq 2 ]
}
