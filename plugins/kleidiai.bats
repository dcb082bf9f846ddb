#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The adapter of KleidiAI against a stand-in of its sources, plugins/fixtures/kleidiai.txt: compiled for aarch64, and checked by the tool for it.
#
# slow: an emulator runs it, where one is needed

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
MICRO=kai/ukernels/matmul

# What compiles for aarch64 and what runs it: the machine itself, or a cross compiler, the tool that scripts/check_aarch64 --tool has built, and an emulator.
setup() {
    case ${KNEEPOINT:-} in */san/*) skip 'not on this machine: the stand-in is built without sanitizers' ;; esac
    cd "$BATS_TEST_TMPDIR"
    arm_root=${KNEEPOINT_AARCH64_ROOT:-$ROOT/build/aarch64-root}
    if [ "$(uname -m)" = aarch64 ]; then
        compile=${CC:-cc} tool=(env "${KNEEPOINT:-$ROOT/build/kneepoint-steady}")
    else
        compile="aarch64-linux-gnu-gcc --sysroot=$arm_root"
        tool=(qemu-aarch64 -cpu "max,sve256=on" -L "$arm_root" "$ROOT/build/aarch64-tool/kneepoint")
    fi
}

require_arm() {
    [ "$(uname -m)" != aarch64 ] || return 0
    command -v aarch64-linux-gnu-gcc >/dev/null || skip 'not on this machine: no aarch64-linux-gnu-gcc: install gcc-aarch64-linux-gnu'
    command -v qemu-aarch64 >/dev/null || skip 'not on this machine: no qemu-aarch64: install qemu-user'
    [ -e "$arm_root/usr/include/hwloc.h" ] || skip "not on this machine: no libraries for arm64: scripts/aarch64_root unpacks them"
    [ -x "$ROOT/build/aarch64-tool/kneepoint" ] || skip 'not on this machine: no tool for aarch64: scripts/check_aarch64 --tool builds it'
}

# micro_kernel FOLDER NAME TOKENS-AT-ONCE TOKENS-PACKED ROWS CHUNK
micro_kernel() {
    local folder=theirs/$MICRO/matmul_clamp_f32_$1 name=$2 block= type=${1##*_}
    [ "$type" = qsi4cxp ] || block='size_t bl,'
    mkdir -p "$folder"
    : >"$folder/kai_matmul_clamp_f32_$1_interface.h"
    sed "s/NAME/$name/; s/BLOCK/$block/" standin/gets.h >"$folder/kai_matmul_clamp_f32_$name.h"
    cat standin/gets.c "standin/$type.c" | sed "s/NAME/$name/; s/HEADER/\"kai_matmul_clamp_f32_$name.h\"/
        s/\<STEP\>/$3/g; s/\<MR\>/$4/g; s/\<NR\>/$5/g; s/\<CHUNK\>/$6/g" >"$folder/kai_matmul_clamp_f32_$name.c"
    : >"$folder/kai_matmul_clamp_f32_${name}_asm.S"
}

checkout() {
    "$ROOT/scripts/pack" --unpack "$ROOT/plugins/fixtures/kleidiai.txt" standin
    mkdir -p theirs/$MICRO
    cp standin/kai/kai_common.h theirs/kai/
    cp -r standin/pack theirs/$MICRO/
    local c32=qsi8d32p_qsi4c32p cx=qai8dxp_qsi4cxp
    micro_kernel ${c32} qsi8d32p1x4_qsi4c32p4x4_1x4_neon_dotprod 1 1 4 4
    micro_kernel ${c32} qsi8d32p4x4_qsi4c32p4x4_16x4_neon_dotprod 16 4 4 4
    micro_kernel ${c32} qsi8d32p1x8_qsi4c32p4x8_1x4x32_neon_dotprod 1 1 4 8
    micro_kernel ${c32} qsi8d32p4x8_qsi4c32p4x8_16x4_neon_i8mm 16 4 4 8
    micro_kernel ${c32} qsi8d32p4x8_qsi4c32p4x8_8x4x32_neon_i8mm 8 4 4 8
    micro_kernel ${cx} qai8dxp1x4_qsi4cxp4x4_1x4_neon_dotprod 1 1 4 4
    micro_kernel ${cx} qai8dxp4x8_qsi4cxp4x4_16x4x32_neon_dotprod 16 4 4 4
    micro_kernel ${cx} qai8dxp1x8_qsi4cxp4x8_1x4x32_neon_dotprod 1 1 4 8
    micro_kernel ${cx} qai8dxp4x8_qsi4cxp4x8_8x4x32_neon_i8mm 8 4 4 8
    micro_kernel ${cx} qai8dxp1x8_qsi4cxp8x8_1x8x32_neon_dotprod 1 1 8 8
    micro_kernel ${cx} qai8dxp4x8_qsi4cxp8x8_8x8x32_neon_i8mm 8 4 8 8
}

adapter() {
    MAKEFLAGS= "${MAKE:-make}" -s -C "$ROOT" plugins ARCH=aarch64 CC="$compile" BUILD="$PWD/b" PLUGINS=plugins/kleidiai.c CFLAGS=-O1 KLEIDIAI="$PWD/theirs"
}

# checked: the certificates of the plug-in's kernels in file out.
checked() {
    status=0
    "${tool[@]}" list kernels --certificate --json --plugin b/plugins/kleidiai.so '*kleidiai*' >out 2>err || status=$?
    cat err
}

@test "KleidiAI: its int4 micro-kernels, GEMV and GEMM, packed by its functions; a product that is wrong is left out" {
    require_arm
    checkout
    adapter >made
    grep -q "^built .*/b/plugins/kleidiai.so: KLEIDIAI=.*/theirs, no git checkout; kai_matmul.*" made
    checked
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(grep -cE '"name":"(q4_0|qsi4cxp)_[48]x[48]\.kleidiai_[0-9x]*\.neon_(dotprod|i8mm)",.*"verdict":"within bound"' out)" -eq 11 ]
    sed -i 's/int32_t sum = 0;/int32_t sum = 1;/' theirs/$MICRO/*qsi4c32p/*8x4x32_neon_i8mm.c
    sed -i 's/16 \* sum + /16 * sum - /' theirs/$MICRO/*qsi4cxp/*1x8x32_neon_dotprod.c
    adapter
    checked
    [ "$status" -eq 1 ]
    grep '"verdict":"wrong"' out | grep -o '"name":"[^"]*"' >wrong
    diff wrong - <<<'"name":"q4_0_4x8.kleidiai_8x4x32.neon_i8mm"
"name":"qsi4cxp_8x8.kleidiai_1x8x32.neon_dotprod"'
}

@test "KleidiAI: operands packed otherwise are refused in one line" {
    require_arm
    checkout
    sed -i 's/\^ 0x88/^ 0x08/' theirs/$MICRO/pack/*scalef16*.c
    adapter
    checked
    [ "$status" -eq 2 ]
    grep -q 'kleidiai.so will not be measured here: its qsi4c32p is no longer packed as q4_0_4x4 and q4_0_4x8' err
}

@test "KleidiAI: for another machine it is left out, and said, and refused where it was asked for" {
    [ "$(uname -m)" != aarch64 ] || skip 'not on this machine: it is aarch64'
    mkdir -p theirs/kai
    run "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS=plugins/kleidiai.c
    [ "$status" -eq 0 ]
    [[ $output == *"left out: kleidiai: it is for aarch64, and "*" compiles for x86_64"* ]]
    run "${MAKE:-make}" -s -C "$ROOT" plugins BUILD="$PWD/b" PLUGINS=plugins/kleidiai.c KLEIDIAI="$PWD/theirs"
    [ "$status" -ne 0 ]
    [[ $output == *"failed: kleidiai: it is for aarch64, and "*" compiles for x86_64: make plugins ARCH=aarch64 CC=a cross compiler KLEIDIAI="* ]]
    [ ! -e b/plugins/kleidiai.so ]
}
