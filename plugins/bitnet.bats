#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapter of bitnet.cpp against a stand-in of its sources: plugins/fixtures/bitnet.txt.

load ../harness/cmd/measuring

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)

setup() {
    KNEEPOINT=${KNEEPOINT:-$ROOT/build/kneepoint-steady}
    case $KNEEPOINT in */san/*) skip 'not on this machine: the stand-in is built without sanitizers' ;; esac
    grep -qw avx2 /proc/cpuinfo || skip 'not on this machine: it has no AVX2'
    cd "$BATS_TEST_TMPDIR"
    "$ROOT/scripts/pack" --unpack "$ROOT/plugins/fixtures/bitnet.txt" theirs
}

adapter() {
    "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS="plugins/${1:-bitnet}.cpp" CFLAGS=-O0 BITNET="$PWD/theirs"
}

@test "bitnet.cpp: I2_S, GEMV and GEMM, compiled out of a checkout; a product that is wrong is left out" {
    adapter >made
    grep -q "^built .*/b/plugins/bitnet.so: BITNET=.*/theirs, no git checkout" made
    apart "$KNEEPOINT" gemm --plugin b/plugins/bitnet.so i2_s.bitnet_cpp --shape 64x256 --threads 1 --samples 2 --warm --json --tokens 1,6
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(grep -c '"type":"gemm","name":"i2_s.bitnet_cpp.reference".*"plugin":"bitnet_cpp"' out)" -eq 2 ]
    sed -i 's/int sum = 0;/int sum = 1;/' theirs/src/ggml-bitnet-mad.cpp
    adapter
    apart "$KNEEPOINT" gemv --plugin b/plugins/bitnet.so i2_s.bitnet_cpp --shape 64x256 --threads 1 --samples 2 --warm
    [ "$status" -eq 1 ]
    grep -q 'i2_s.bitnet_cpp.reference differs .*; it is left out$' err
}

@test "bitnet.cpp: the look-ups of a model's TL2, bound to its shapes; one that is wrong is named" {
    command -v clang++ >/dev/null || skip 'not on this machine: no clang++, with which alone it compiles'
    adapter bitnet_tl2 >made
    grep -q "^built .*/b/plugins/bitnet_tl2.so: BITNET=.*/theirs, no git checkout" made
    "$KNEEPOINT" list kernels --plugin b/plugins/bitnet_tl2.so '*.bitnet_cpp_*' >out
    [ "$(grep -cE '^tl2_(160x96.bitnet_cpp_3200x8640|320x96.bitnet_cpp_(3200|8640)x3200) ' out)" -eq 3 ]
    apart "$KNEEPOINT" list kernels --certificate --json --plugin b/plugins/bitnet_tl2.so tl2_320x96.bitnet_cpp_8640x3200
    cat out err
    [ "$status" -eq 0 ]
    grep -q '"verdict":"exact".*"plugin":"bitnet_tl2"' out
    sed -i 's/value = -value/value = -value - 1/' theirs/preset_kernels/tl2_standin.h
    adapter bitnet_tl2
    apart "$KNEEPOINT" list kernels --certificate --json --plugin b/plugins/bitnet_tl2.so tl2_320x96.bitnet_cpp_8640x3200
    [ "$status" -eq 1 ]
    grep -q '"name":"tl2_320x96.bitnet_cpp_8640x3200.reference".*"verdict":"wrong"' out
}

@test "bitnet.cpp: the look-ups of its other models, in tiles of their own" {
    command -v clang++ >/dev/null || skip 'not on this machine: no clang++, with which alone it compiles'
    for each in large:tl2_128x192.bitnet_cpp_1536x1536 llama3:tl2_256x96.bitnet_cpp_1024x4096; do
        plugin=b/plugins/bitnet_tl2_${each%:*}.so
        [ -e "$plugin" ] || adapter "bitnet_tl2_${each%:*}"
        apart "$KNEEPOINT" list kernels --certificate --json --plugin "$plugin" "${each#*:}"
        cat out err
        [ "$status" -eq 0 ]
        grep -q '"verdict":"exact".*"plugin":"bitnet_tl2_'"${each%:*}"'"' out
    done
    "$KNEEPOINT" list kernels --plugin b/plugins/bitnet_tl2_llama3.so '*.bitnet_cpp_*' >out
    [ "$(grep -cE '^tl2_(256x96.bitnet_cpp_(14336|1024)x4096|128x96.bitnet_cpp_4096x(4096|14336)) ' out)" -eq 4 ]
}

@test "bitnet.cpp: a configuration that the adapter does not fit is refused in one line, and nothing is left" {
    sed -i '/ACT_PARALLEL/d' theirs/include/gemm-config.h
    run adapter
    [ "$status" -ne 0 ]
    [[ $output == *"failed: bitnet: it does not compile: "*"this plug-in is written for"* ]]
    [ ! -e b/plugins/bitnet.so ]
}
