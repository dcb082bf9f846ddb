#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/setup against a fake machine: a PATH that holds only stand-ins for dpkg-query, apt-get, id and sudo and the few
# tools the script itself uses. What is installed, what apt can do and who we are, are files in $machine.

setup() {
    script=$BATS_TEST_DIRNAME/setup
    machine=$BATS_TEST_TMPDIR
    mkdir "$machine/bin" "$machine/lists"
    local tool
    for tool in sh sed tr grep tail env ls cat touch rm; do
        ln -s "$(command -v $tool)" "$machine/bin/$tool"
    done
    touch "$machine/installed" "$machine/apt.log" "$machine/lists/mirror_main_binary-amd64_Packages"
    printf 'ID=debian\nVERSION_ID="12"\nNAME="Debian GNU/Linux"\n' >"$machine/os-release"
    echo 0 >"$machine/uid"
    echo x86_64 >"$machine/architecture"

    stand_in uname 'cat "$machine/architecture"'
    stand_in id 'cat "$machine/uid"'
    stand_in dpkg-query '
        status=0
        for package in "$@"; do
            case $package in -*) continue ;; esac
            if grep -qx "$package" "$machine/installed"; then echo "ii $package"
            elif grep -qx "rc $package" "$machine/installed"; then echo "rc $package"
            else status=1; fi
        done
        exit $status'
    stand_in apt-get '
        [ "$DEBIAN_FRONTEND" = noninteractive ] || { echo "E: would ask a question"; exit 100; }
        simulate=
        while [ $# -gt 0 ]; do
            case $1 in
            -o) echo "$2" >>"$machine/apt.options"; shift 2 ;;
            --simulate) simulate=yes; shift ;;
            -*) shift ;;
            *) break ;;
            esac
        done
        [ -n "$simulate" ] || echo "$@" >>"$machine/apt.log"
        if [ "$1" = update ]; then
            [ ! -e "$machine/offline" ] || { echo "W: Failed to fetch the list  Temporary failure resolving"; exit 0; }
            touch "$machine/lists/mirror_main_binary-amd64_Packages"
            rm -f "$machine/stale"
            exit 0
        fi
        [ ! -e "$machine/stale" ] || { echo "E: Unable to locate package make"; exit 100; }
        ls "$machine/lists"/*_Packages >/dev/null 2>&1 || { echo "E: Unable to locate package gcc"; exit 100; }
        [ ! -e "$machine/broken" ] || { echo "Reading package lists..."; cat "$machine/broken"; exit 100; }
        shift
        for package in "$@"; do
            case $package in -*) continue ;; esac
            if [ -n "$simulate" ]; then echo "Inst $package (1.0 Debian:12.12/oldstable [amd64])"
            else echo "$package" >>"$machine/installed"; fi
        done
        [ -z "$simulate" ] || [ ! -e "$machine/replaced" ] || echo "Inst libc6 [2.36-8] (2.36-9 Debian:12.12/oldstable [amd64])"'
    stand_in sync 'echo "$@" >>"$machine/synced"'
}

# stand_in NAME BODY: a program on the fake machine's PATH.
stand_in() {
    printf '#!%s\nmachine=%s\n%s\n' "$machine/bin/sh" "$machine" "$2" >"$machine/bin/$1"
    chmod +x "$machine/bin/$1"
}

# run_setup [ARGUMENT]...: standard output and standard error apart, $output and $errors.
run_setup() {
    run env -i PATH="$machine/bin" KNEEPOINT_OS_RELEASE="$machine/os-release" KNEEPOINT_APT_LISTS="$machine/lists" \
        "$machine/bin/sh" -c 'errors=$1; shift; exec "$0" "$@" 2>"$errors"' "$script" "$machine/errors" "$@" </dev/null
    errors=$(cat "$machine/errors")
}

lines_of() {
    printf '%s\n' "$1" | grep -c .
}

@test "installs every missing package in one go, says so in one line on standard error" {
    run_setup
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$(lines_of "$errors")" -eq 1 ]
    [[ $errors == *"installing gcc "* ]]
    [ "$(grep -c ^install "$machine/apt.log")" -eq 1 ]
    grep -qx libhwloc-dev "$machine/installed"
    grep -qx gnuplot-nox "$machine/installed"
}

@test "the disk is waited for once, unless a package that is there is replaced" {
    run_setup
    [ "$status" -eq 0 ]
    grep -q force-unsafe-io "$machine/apt.options"
    [ "$(cat "$machine/synced")" = '-f /usr /var' ]
    rm "$machine/synced" "$machine/apt.options"
    : >"$machine/installed" >"$machine/apt.log"
    touch "$machine/replaced"
    run_setup
    [ "$status" -eq 0 ]
    grep -q '^install ' "$machine/apt.log"
    [ -z "$(grep unsafe "$machine/apt.options")" ]
    [ ! -e "$machine/synced" ]
}

@test "what only the tests need is installed by 'check', in one go with the rest" {
    run_setup
    [ -z "$(grep -xE 'bats|chromium|git|.*cmocka.*|.*aarch64.*|qemu.*|.*python.*|clang.*|llvm.*' "$machine/installed")" ]
    : >"$machine/installed"
    run_setup check
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$(lines_of "$errors")" -eq 1 ]
    local package
    for package in gcc libhwloc-dev gnuplot-nox libcmocka-dev bats chromium git python3-yaml python3-jsonschema; do
        grep -qx "$package" "$machine/installed"
    done
    run_setup
    [ -z "$output$errors" ]
}

@test "another argument: one line, exit 2, nothing installed" {
    local arguments
    for arguments in tests --help 'check now' "''"; do
        eval "run_setup $arguments"
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [ "$(lines_of "$errors")" -eq 1 ]
        [[ $errors == *"usage: scripts/setup [check], not "* ]]
    done
    [ ! -s "$machine/apt.log" ]
}

@test "a second run is silent and does not call apt-get" {
    run_setup
    : >"$machine/apt.log"
    run_setup
    [ "$status" -eq 0 ]
    [ -z "$output$errors" ]
    [ ! -s "$machine/apt.log" ]
}

@test "nothing missing: one look at the packages, and no other program" {
    run_setup check
    for tool in dpkg-query apt-get sudo; do
        [ ! -e "$machine/bin/$tool" ] || mv "$machine/bin/$tool" "$machine/$tool.real"
        stand_in $tool 'echo '$tool' >>"$machine/called"; exec "$machine/'$tool'.real" "$@"'
    done
    run_setup check
    [ "$status" -eq 0 ]
    [ "$(cat "$machine/called")" = dpkg-query ]
}

@test "the cross compiler, the emulator of aarch64 programs and that of x86-64 machines on x86-64 only" {
    run_setup check
    grep -qx gcc-aarch64-linux-gnu "$machine/installed"
    grep -qx qemu-user "$machine/installed"
    grep -qx qemu-system-x86 "$machine/installed"
    : >"$machine/installed"
    echo aarch64 >"$machine/architecture"
    run_setup check
    [ "$status" -eq 0 ]
    grep -qx libhwloc-dev "$machine/installed"
    [ "$(grep -E 'aarch64|arm64|qemu' "$machine/installed")" = qemu-system-arm ]
}

@test "only what is missing is installed" {
    run_setup check
    sed -i '/^bats$/d' "$machine/installed"
    : >"$machine/apt.log"
    run_setup check
    [ "$status" -eq 0 ]
    grep -qx 'install --no-install-recommends bats' "$machine/apt.log"
}

@test "a removed package whose configuration stayed counts as missing" {
    run_setup
    sed -i 's/^make$/rc make/' "$machine/installed"
    run_setup
    [[ $errors == *"installing make" ]]
    grep -qx make "$machine/installed"
}

@test "lists present: no apt-get update" {
    run_setup
    run grep -c ^update "$machine/apt.log"
    [ "$output" -eq 0 ]
}

@test "lists empty, as in a container image: apt-get update first" {
    rm "$machine"/lists/*
    run_setup
    [ "$status" -eq 0 ]
    [ "$(head -n 1 "$machine/apt.log")" = update ]
}

@test "stale lists: updated after the first failure, then installed" {
    touch "$machine/stale"
    run_setup
    [ "$status" -eq 0 ]
    [ "$(cut -d' ' -f1 "$machine/apt.log" | tr '\n' ' ')" = 'install update install ' ]
}

@test "through sudo when not root" {
    echo 1000 >"$machine/uid"
    stand_in sudo 'echo "$@" >>"$machine/sudo.log"; [ "$1" = -n ] && exit 0; exec "$@"'
    run_setup
    [ "$status" -eq 0 ]
    grep -q 'apt-get .*install' "$machine/sudo.log"
}

@test "no root and no sudo: one line with the exact command, exit 2" {
    echo 1000 >"$machine/uid"
    run_setup
    [ "$status" -eq 2 ]
    [ "$(lines_of "$errors")" -eq 1 ]
    [[ $errors == *"apt-get update && apt-get install --no-install-recommends gcc "* ]]
    [ ! -s "$machine/apt.log" ]
}

@test "sudo that asks for a password without a terminal: as without sudo" {
    echo 1000 >"$machine/uid"
    stand_in sudo 'echo "sudo: a password is required" >&2; exit 1'
    run_setup
    [ "$status" -eq 2 ]
    [ "$(lines_of "$errors")" -eq 1 ]
    [[ $errors == *"as root run: apt-get"* ]]
}

@test "apt-get fails: one line with its reason, exit 2" {
    echo 'E: You do not have enough free space in /var/cache/apt/archives/.' >"$machine/broken"
    run_setup
    [ "$status" -eq 2 ]
    [ "$(lines_of "$errors")" -eq 2 ]
    [[ $errors == *"could not install gcc "*"enough free space"* ]]
}

@test "no network: the reason of apt-get update is given too" {
    rm "$machine"/lists/*
    touch "$machine/offline"
    run_setup
    [ "$status" -eq 2 ]
    [[ $errors == *"Unable to locate package gcc (apt-get update: Failed to fetch"*"Temporary failure resolving)" ]]
    [ "$(grep -c ^update "$machine/apt.log")" -eq 1 ]
}

@test "apt-get that claims success but installs nothing is a failure" {
    stand_in apt-get 'exit 0'
    run_setup
    [ "$status" -eq 2 ]
    [[ $errors == *"could not install gcc "* ]]
}

@test "Ubuntu and a derivative of it count as Debian" {
    local release
    for release in 'ID=ubuntu' 'ID=linuxmint\nID_LIKE="ubuntu debian"'; do
        printf "$release\n" >"$machine/os-release"
        : >"$machine/installed"
        run_setup
        [ "$status" -eq 0 ]
    done
}

@test "other distributions: package lists for Fedora and Arch, exit 2, nothing installed" {
    local release
    for release in 'ID=fedora' 'ID=arch' 'ID="opensuse-leap"\nID_LIKE="suse opensuse"'; do
        printf "$release\n" >"$machine/os-release"
        run_setup
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ $errors == *"Fedora: gcc "*hwloc-devel* ]]
        [[ $errors == *"Arch: "*hwloc* ]]
        [[ $errors == *"run make report"* && $errors != *cmocka* ]]
        run_setup check
        [ "$status" -eq 2 ]
        [[ $errors == *"run make check"*"Fedora: gcc "*hwloc-devel*libcmocka-devel*"Arch: "*hwloc*cmocka* ]]
    done
    [ ! -s "$machine/apt.log" ]
}

@test "no os-release at all: as another distribution" {
    rm "$machine/os-release"
    run_setup
    [ "$status" -eq 2 ]
    [[ $errors == *"Fedora:"* ]]
}

@test "every package that the Makefile names in an error is in the list that it names" {
    # named FILE PATTERN LIST...: each package that the pattern of sed finds is in one of the lists.
    named() {
        local packages=$(sed -n "$2" "$BATS_TEST_DIRNAME/../Makefile") package
        [ -n "$packages" ]
        for package in $packages; do
            sed -n "/^$1=/,/\"\$/p" "$script" | grep -qw -- "$package" || { echo "$package is not in $1"; return 1; }
        done
    }
    named packages 's/.*install \([a-z0-9-]*\) (Debian) or run scripts\/setup[^ ].*/\1/p; s/.*need,[a-z.]*,\([a-z0-9-]*\)).*/\1/p'
    named check_packages 's/.*install \([a-z0-9-]*\) (Debian) or run scripts\/setup check.*/\1/p'
}
