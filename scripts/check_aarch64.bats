#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The aarch64 half, cross-compiled and emulated: skipped where the compiler or the emulator is missing. `make check` has
# built it before. The whole takes longer and is no part of this: `make check-aarch64`.

setup() {
    root=$BATS_TEST_DIRNAME/..
}

require_tools() {
    [ "$(uname -m)" != aarch64 ] || skip "not on this machine: this machine is aarch64: its tests ran natively"
    command -v aarch64-linux-gnu-gcc >/dev/null || skip "not on this machine: no aarch64-linux-gnu-gcc: install gcc-aarch64-linux-gnu"
    command -v qemu-aarch64 >/dev/null || skip "not on this machine: no qemu-aarch64: install qemu-user"
}

@test "check_aarch64: it compiles, and every Neon sequence is exact under qemu" {
    require_tools
    run "$root/scripts/check_aarch64"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"ok 1 - harness/check/sequences_test under qemu-aarch64"* ]]
    [[ $output != *"# 0 passed"* ]]
}

# A copy with its objects, so that only what differs is made again.
copy_tree() {
    mkdir -p "$1/build"
    tar -c -C "$root" --exclude=results/runs --exclude='results/*-*' \
        Makefile fuzz/fuzz.mk harness micro packaging platforms plugins reports results roofline scripts unit_test.h | tar -x -C "$1"
    cp -a "$root/build/aarch64" "$1/build/"
}

@test "check_aarch64: a wrong sequence fails it and is named" {
    require_tools
    [ -d "$root/build/aarch64" ] || "$root/scripts/check_aarch64" --build
    copy_tree "$BATS_TEST_TMPDIR/tree"
    cd "$BATS_TEST_TMPDIR/tree"
    # the facts of this one alone, whose upper field is shifted down
    sed -i '/^int2_vnni4\.mask .*neon_dotprod/s/ TOP_IS_SHIFTED=1//' micro/families/planes/sequences.def
    if diff "$root/micro/families/planes/sequences.def" micro/families/planes/sequences.def; then false; fi
    KNEEPOINT_TEST_ITEMS='int2_vnni4.mask.*' run scripts/check_aarch64 --only harness/check/sequences_test
    echo "$output"
    [ "$status" -eq 1 ]
    [ "${lines[0]}" = 1..1 ]
    [[ $output == *"not ok 1 - harness/check/sequences_test under qemu-aarch64"* ]]
    [[ $output == *"not ok "*"int2_vnni4.mask.neon_dotprod is exact"* ]]
    [[ $output != *"not ok "*"int2_vnni4.mask.neon_i8mm is exact"* ]]
    [[ $output != *"# 0 passed"* ]]
}

@test "check_aarch64: what is missing is named with its package, exit 2" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    local tool
    for tool in sh dirname uname; do
        ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin/$tool"
    done
    PATH=$BATS_TEST_TMPDIR/bin run "$root/scripts/check_aarch64"
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "check_aarch64: aarch64-linux-gnu-gcc is missing: install gcc-aarch64-linux-gnu"* ||
        $output == *"this machine is aarch64"* ]]
}

@test "check_aarch64: without arm64's libraries the whole is a skip that says how to get them" {
    require_tools
    KNEEPOINT_AARCH64_ROOT=$BATS_TEST_TMPDIR/absent run "$root/scripts/check_aarch64" --whole
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "1..0 # SKIP not on this machine: no libraries for arm64: scripts/aarch64_root unpacks them into "*/absent ]]
}

@test "check_aarch64: another argument is refused" {
    run "$root/scripts/check_aarch64" --all
    [ "$status" -eq 2 ]
    [[ $output == "check_aarch64: usage: scripts/check_aarch64 [--build | --guest | --only TEST | --tool | --whole], not '--all'" ]]
}

@test "aarch64_root: a folder that is something else, and a mirror without arm64, are one line" {
    command -v apt-get >/dev/null || skip "not on this machine: no apt"
    run "$root/scripts/aarch64_root" "$root/scripts"
    [ "$status" -eq 2 ]
    [[ $output == "aarch64_root: '$root/scripts' is there and is no such root: name another folder" ]]
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\necho "E: Unable to locate package libhwloc-dev" >&2\nexit 100\n' >"$BATS_TEST_TMPDIR/bin/apt-get"
    chmod +x "$BATS_TEST_TMPDIR/bin/apt-get"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$root/scripts/aarch64_root" "$BATS_TEST_TMPDIR/new"
    echo "$output"
    [ "$status" -eq 2 ]
    [[ $output == "aarch64_root: apt-get "*": E: Unable to locate package libhwloc-dev" ]]
    [ "$(ls "$BATS_TEST_TMPDIR")" = bin ]
}
