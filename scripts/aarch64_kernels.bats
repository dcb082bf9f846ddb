#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/aarch64_kernels: that each format has a kernel or a reason for each instruction set of aarch64, and that it says where not.

setup() {
    table=$BATS_TEST_DIRNAME/aarch64_kernels
    kernels=$BATS_TEST_DIRNAME/../micro/formats
}

# a_copy: the names of all kernels of aarch64 below $copy, their rows, and the reasons
a_copy() {
    copy=$BATS_TEST_TMPDIR/kernels
    local file
    for file in "$kernels"/*/kernels.def; do
        mkdir -p "$copy/$(basename "${file%/*}")"
        cp "$file" "$copy/${file#"$kernels"/}"
    done
    for file in "$kernels"/*/*.neon*.[cS] "$kernels"/*/*.sve256.[cS]; do
        file=${file#"$kernels"/}
        mkdir -p "$copy/${file%/*}"
        : >"$copy/$file"
    done
    cp "$kernels/none_on_aarch64.tsv" "$copy"
}

@test "every format has a kernel or a reason for each instruction set" {
    run "$table"
    [ "$status" -eq 0 ]
    [[ $output == *"| q4_0_m16 | gemm | tile | ["*"] | tile | tile | ["*"] | tile |"* ]]
    [[ $output == *"| bf16 | gemv | dot | ["*"] | ["*"] | ["*"] | pairs | dot, pairs |"* ]]
    [[ $output != *"?"* ]]
}

@test "a kernel that is missing without a reason is named" {
    a_copy
    sed -i '/^mask /s/ sve256$//' "$copy/tq2_0/kernels.def"
    run "$table" "$copy"
    [ "$status" -eq 1 ]
    [[ $output == *"aarch64_kernels: tq2_0 has no gemv for sve256, and no reason"* ]]
}

@test "a reason that no format needs is named" {
    a_copy
    printf 'q4_0\tgemm\tsve256\tbecause\n' >>"$copy/none_on_aarch64.tsv"
    run "$table" "$copy"
    [ "$status" -eq 1 ]
    [[ $output == *"q4_0 has a gemm for sve256, and a reason to have none"* ]]
    [[ $output == *"a reason that no format needs: q4_0 gemm sve256"* ]]
}

@test "a folder that holds no kernels is refused" {
    run "$table" "$BATS_TEST_TMPDIR"
    [ "$status" -eq 2 ]
    [[ $output == *"has no none_on_aarch64.tsv"* ]]
    run "$table" one two
    [ "$status" -eq 2 ]
}
