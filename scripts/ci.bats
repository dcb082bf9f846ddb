#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# .ci/run in a clone of a small tree, with stand-ins for scripts/setup, make and what makes a bare root.

setup() {
    root=$BATS_TEST_DIRNAME/..
    tree=$BATS_TEST_TMPDIR/tree
    log=$BATS_TEST_TMPDIR/log
    mkdir -p "$tree/.ci" "$tree/scripts" "$tree/bin"
    cp "$root/.ci/run" "$tree/.ci/"
    cp "$root/README.md" "$tree/"
    stand_in scripts/setup 'echo setup $* >>'"$log"
    stand_in bin/make 'echo "make $1" >>'"$log"'; [ "$1" = check ] && echo "3 passed, 0 failed"; exit 0'
    stand_in bin/id 'echo 1000'
}

# stand_in PATH BODY
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$tree/$1"
    chmod +x "$tree/$1"
}

# run_ci: $status, the last line of both streams together as $last, all but the counts in $errors.
run_ci() {
    cd /
    PATH=$tree/bin:$PATH run sh -c '"$0" 2>&1' "$tree/.ci/run" </dev/null
    errors=$(grep -v '^[0-9]* passed, ' <<<"$output") || true
    last=$(tail -n 1 <<<"$output")
    echo "$output"
}

ran() {
    tr '\n' ';' <"$log"
}

@test "not root: in place, which one line says; setup before each of both lines, the count of make check last" {
    run_ci
    [ "$status" -eq 0 ]
    [ "$last" = "3 passed, 0 failed" ]
    [ "$(ran)" = "setup;make report;setup check;make check;setup check;make check;" ]
    [ "$(grep -c 'running in place' <<<"$errors")" -eq 1 ]
    [[ $errors == ".ci/run: not root, so "* ]]
}

@test "fails when make report fails, and still runs the tests" {
    stand_in bin/make '[ "$1" = check ] && { echo "3 passed, 0 failed"; exit 0; }; exit 2'
    run_ci
    [ "$status" -ne 0 ]
    [ "$last" = "3 passed, 0 failed" ]
}

@test "fails when make check fails" {
    stand_in bin/make '[ "$1" = check ] && { echo "2 passed, 1 failed"; exit 2; }; exit 0'
    run_ci
    [ "$status" -ne 0 ]
    [ "$last" = "2 passed, 1 failed" ]
}

@test "the second line runs again beside a busy loop a CPU, once it has passed; none is left" {
    stand_in bin/nproc 'echo 3'
    stand_in bin/make 'echo "make $1: $(pgrep -fc "[/]tree/.ci/run")" >>'"$log"'; echo "3 passed, 0 failed"'
    run_ci
    [ "$status" -eq 0 ]
    mapfile -t processes < <(sed -n 's/^make check: //p' "$log")
    [ "${#processes[@]}" -eq 2 ]
    [ "${processes[1]}" -eq $((processes[0] + 3)) ]
    ! pgrep -f "$tree/.ci/run" || return 1
    [[ $errors == *"'scripts/setup check && make check' passed after "*" s; it runs again, beside a busy loop a CPU"* ]]
}

@test "fails when the second line fails beside busy loops alone" {
    stand_in bin/make '[ "$1" = check ] || exit 0
[ -e '"$BATS_TEST_TMPDIR"'/checked ] && { echo "2 passed, 1 failed"; exit 2; }
touch '"$BATS_TEST_TMPDIR"'/checked; echo "3 passed, 0 failed"'
    run_ci
    [ "$status" -eq 2 ]
    [ "$last" = "2 passed, 1 failed" ]
    ! pgrep -f "$tree/.ci/run" || return 1
}

@test "fails when setup fails, without calling make" {
    stand_in scripts/setup 'exit 2'
    run_ci
    [ "$status" -ne 0 ]
    [ ! -e "$log" ]
}

@test "its lines are those of the README, word for word" {
    sed -i 's/^    scripts.setup check && make check$/    scripts\/setup check \&\& make check CC=clang/' "$tree/README.md"
    stand_in bin/make 'echo "make $*" >>'"$log"
    run_ci
    [ "$(ran)" = "setup;make report;setup check;make check CC=clang;setup check;make check CC=clang;" ]
    sed -i '/^    scripts.setup check/d' "$tree/README.md"
    run_ci
    [ "$status" -eq 2 ]
    [[ $errors == *"README.md has no two lines"* ]]
}

# bare: a clone, and stand-ins for all that makes a root and goes into it.
bare() {
    cp "$root/scripts/bare_root" "$tree/scripts/"
    stand_in bin/id 'echo 0'
    stand_in bin/debootstrap 'echo debootstrap >>'"$log"'; mkdir -p "$3/dev" "$3/etc/apt/apt.conf.d" "$3/proc" "$3/srv" "$3/sys"'
    stand_in bin/unshare 'while [ "${1#--}" != "$1" ]; do shift; done; [ "$1" != private ] || shift 2; exec "$@"'
    stand_in bin/mount ''
    stand_in bin/mountpoint ''
    stand_in bin/chroot 'for line; do :; done; cd "$1" && PATH='"$tree/bin:$PATH"' exec sh -ec "cd .${line#cd }"'
    git -C "$tree" init -q
    git -C "$tree" add . && git -C "$tree" -c user.name=n -c user.email=e commit -qm tree
    echo 'an edit that was not committed' >"$tree/scripts/setup"
}

@test "as root: both lines in a clean clone within a bare root, of what was committed, and nothing is left" {
    bare
    export TMPDIR=$BATS_TEST_TMPDIR/roots
    mkdir "$TMPDIR"
    run_ci
    [ "$status" -eq 0 ]
    [ "$last" = "3 passed, 0 failed" ]
    [ "$(ran)" = "debootstrap;setup;make report;setup check;make check;setup check;make check;" ]
    [[ $errors != *"in place"* ]]
    [ -z "$(ls "$TMPDIR")" ]
}

@test "as root: the root goes away after a failure, too" {
    bare
    export TMPDIR=$BATS_TEST_TMPDIR/roots
    mkdir "$TMPDIR"
    stand_in bin/make 'echo "2 passed, 1 failed"; exit 2'
    run_ci
    [ "$status" -ne 0 ]
    [ "$last" = "2 passed, 1 failed" ]
    [ -z "$(ls "$TMPDIR")" ]
}

@test "as root without a mirror: in place" {
    bare
    git -C "$tree" checkout -q scripts/setup
    stand_in bin/debootstrap 'echo "E: no such mirror"; exit 1'
    run_ci
    [ "$status" -eq 0 ]
    [ "$last" = "3 passed, 0 failed" ]
    [[ $errors == *"no such mirror"*"bare_root: debootstrap of bookworm from "*" failed"*"running in place"* ]]
}

@test "as root without what a bare root needs: in place" {
    bare
    git -C "$tree" checkout -q scripts/setup
    stand_in bin/unshare 'exit 1'
    run_ci
    [ "$status" -eq 0 ]
    [[ $errors == ".ci/run: unshare is not permitted, so "* ]]
    rm -rf "$tree/.git"
    run_ci
    [[ $errors == ".ci/run: no clone of the repository, so "* ]]
}
