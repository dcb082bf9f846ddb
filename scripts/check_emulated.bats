#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Only what needs no emulator: the emulation itself takes minutes.

setup() {
    root=$BATS_TEST_DIRNAME/..
    cd "$root"
}

refuses() {
    local remedy=$1
    shift
    run "$@"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "check_emulated: "*"$remedy"* ]]
}

@test "check_emulated: only from the root of the tree" {
    cd "$BATS_TEST_TMPDIR"
    refuses "root of the source tree" "$root/scripts/check_emulated"
}

@test "check_emulated: a wrong number of minutes" {
    KNEEPOINT_EMULATED_MINUTES=soon refuses "KNEEPOINT_EMULATED_MINUTES takes a whole number, not 'soon'" scripts/check_emulated
}

@test "check_emulated: what is missing is named with its package" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    PATH=$BATS_TEST_TMPDIR/bin refuses "bochs is missing: install bochs" /bin/sh scripts/check_emulated
}

@test "check_emulated: the AVX-VNNI rows of isa.def are where the copy changes them" {
    for isa in avx_vnni avx_vnni_gfni; do
        row=$(grep "^ISA($isa," platforms/isa.def)
        [[ $row == *-mavxvnni* && $row == *+avx_vnni* && $row == *"F(AVX_VNNI)"* ]]
    done
}
