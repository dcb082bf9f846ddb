#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapters of bitnet.cpp's TL1 against a stand-in of its sources, plugins/fixtures/bitnet.txt: compiled for aarch64, and checked by the tool for it.
#
# slow: an emulator runs it, where one is needed

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)

setup() {
    case ${KNEEPOINT:-} in */san/*) skip 'not on this machine: the stand-in is built without sanitizers' ;; esac
    cd "$BATS_TEST_TMPDIR"
    "$ROOT/scripts/pack" --unpack "$ROOT/plugins/fixtures/bitnet.txt" theirs
    arm_root=${KNEEPOINT_AARCH64_ROOT:-$ROOT/build/aarch64-root}
    tool=(env "${KNEEPOINT:-$ROOT/build/kneepoint-steady}") words=()
    if [ "$(uname -m)" != aarch64 ]; then
        words=(ARCH=aarch64 CC="aarch64-linux-gnu-gcc --sysroot=$arm_root" CXX='clang++ --target=aarch64-linux-gnu')
        tool=(qemu-aarch64 -cpu "max,sve256=on" -L "$arm_root" "$ROOT/build/aarch64-tool/kneepoint")
    fi
}

require_arm() {
    command -v clang++ >/dev/null || skip 'not on this machine: no clang++, with which alone it compiles'
    [ "$(uname -m)" != aarch64 ] || return 0
    command -v aarch64-linux-gnu-g++ >/dev/null || skip 'not on this machine: no aarch64-linux-gnu-g++: install g++-aarch64-linux-gnu'
    command -v qemu-aarch64 >/dev/null || skip 'not on this machine: no qemu-aarch64: install qemu-user'
    [ -e "$arm_root/usr/include/hwloc.h" ] || skip "not on this machine: no libraries for arm64: scripts/aarch64_root unpacks them"
    [ -x "$ROOT/build/aarch64-tool/kneepoint" ] || skip 'not on this machine: no tool for aarch64: scripts/check_aarch64 --tool builds it'
}

adapter() { # its C++ library within it: the emulator's libraries have none
    MAKEFLAGS= "${MAKE:-make}" -s -C "$ROOT" plugins "${words[@]}" BUILD="$PWD/b" PLUGINS="plugins/$1.cpp" CFLAGS=-O1 LDFLAGS='-static-libstdc++ -static-libgcc' \
        BITNET="$PWD/theirs"
}

# checked PLUGIN KERNEL: its certificate in file out.
checked() {
    status=0
    KNEEPOINT_CHILD_LIMIT_MS=600000 "${tool[@]}" list kernels --certificate --json --plugin "b/plugins/$1.so" "$2" >out 2>err || status=$?
    cat out err
}

@test "bitnet.cpp: the look-ups of its models' TL1, bound to their shapes; one that is wrong is named" {
    require_arm
    for each in bitnet_tl1_large:3 bitnet_tl1:3 bitnet_tl1_llama3:4; do
        adapter "${each%:*}" >made
        grep -q "^built .*/b/plugins/${each%:*}.so: BITNET=.*/theirs, no git checkout" made
        "${tool[@]}" list kernels --plugin "b/plugins/${each%:*}.so" 'tl1_*.bitnet_cpp_*' >out
        [ "$(grep -cE '^tl1_[0-9x]*\.bitnet_cpp_[0-9x]* ' out)" -eq "${each#*:}" ]
    done
    checked bitnet_tl1_large tl1_128x64x64.bitnet_cpp_1536x1536
    [ "$status" -eq 0 ]
    grep -q '"verdict":"exact".*"plugin":"bitnet_tl1_large"' out
    sed -i 's/int sum = 0, by/int sum = 1, by/' theirs/preset_kernels/tl1_standin.h
    adapter bitnet_tl1_large
    checked bitnet_tl1_large tl1_128x64x64.bitnet_cpp_1536x1536
    [ "$status" -eq 1 ]
    grep -q '"name":"tl1_128x64x64.bitnet_cpp_1536x1536.reference".*"verdict":"wrong"' out
}

@test "bitnet.cpp: its TL1 is left out for another machine, in one line, which has the compiler to give where its checkout is there" {
    [ "$(uname -m)" != aarch64 ] || skip 'not on this machine: it is aarch64'
    command -v clang++ >/dev/null || skip 'not on this machine: no clang++, with which alone it compiles'
    run "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS=plugins/bitnet_tl1.cpp
    [ "$status" -eq 0 ]
    [[ $output == *"left out: bitnet_tl1: it is for aarch64, and clang++ compiles for x86_64"* ]]
    run "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS=plugins/bitnet_tl1.cpp BITNET="$PWD/theirs"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"left out: bitnet_tl1: it is for aarch64, and clang++ compiles for x86_64: make plugins ARCH=aarch64 CC=a cross compiler CXX='clang++ with its target' BITNET="* ]]
    [ ! -e b/plugins/bitnet_tl1.so ]
}
