#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapter of T-MAC against a stand-in of its sources: plugins/fixtures/tmac.txt.

load ../harness/cmd/measuring

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)

setup() {
    KNEEPOINT=${KNEEPOINT:-$ROOT/build/kneepoint-steady}
    case $KNEEPOINT in */san/*) skip 'not on this machine: the stand-in is built without sanitizers' ;; esac
    grep -qw avx2 /proc/cpuinfo || skip 'not on this machine: it has no AVX2'
    cd "$BATS_TEST_TMPDIR"
    "$ROOT/scripts/pack" --unpack "$ROOT/plugins/fixtures/tmac.txt" theirs
}

adapter() {
    "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS=plugins/tmac.cpp CFLAGS=-O0 TMAC="$PWD/theirs"
}

@test "T-MAC: 2, 3 and 4 bits, GEMV and GEMM, and one scale for the tensor, compiled out of a checkout; a lookup that is wrong is left out" {
    adapter >made
    grep -q "^built .*/b/plugins/tmac.so: TMAC=.*/theirs, no git checkout" made
    apart "$KNEEPOINT" gemm --plugin b/plugins/tmac.so tmac2_g128.t_mac.reference tmac3_g128.t_mac.reference tmac4_g128.t_mac.reference --shape 256x256 \
        --threads 1 --samples 2 --warm --json --tokens 1,9
    [ "$status" -eq 0 ]
    [ ! -s err ]
    local bits
    for bits in 2 3 4; do
        [ "$(grep -c '"type":"gemm","name":"tmac'$bits'_g128.t_mac.reference".*"plugin":"tmac"' out)" -eq 2 ]
    done
    apart "$KNEEPOINT" gemv --plugin b/plugins/tmac.so tmac2_tiles.t_mac.reference tmac2_tiles.tmac.avx2 --shape 256x256 --threads 1 --samples 2 --warm --json
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(grep -c '"type":"gemv","name":"tmac2_tiles.t.*mac' out)" -eq 2 ] # of the same bytes as our rendering
    sed -i 's/i \/ 8 % Bits == 0/i % Bits == 0/' theirs/python/t_mac/intrins/tbl.cc
    adapter
    apart "$KNEEPOINT" gemv --plugin b/plugins/tmac.so tmac2_g128.t_mac.reference --shape 256x256 --threads 1 --samples 2 --warm
    [ "$status" -eq 1 ]
    grep -q 'tmac2_g128.t_mac.reference differs .*; it is left out$' err
}

@test "T-MAC: lookups that changed their arguments are refused in one line, and nothing is left" {
    sed -i 's/bool ZeroPoint, bool OneScale/bool ZeroPoint/; s/ && !OneScale//' theirs/python/t_mac/intrins/tbl.cc
    run adapter
    [ "$status" -ne 0 ]
    [[ $output == *"failed: tmac: it does not compile: "* ]]
    [ ! -e b/plugins/tmac.so ]
}
