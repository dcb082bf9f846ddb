#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# .ci/run in a tree with a stand-in for scripts/setup and for make.

setup() {
    root=$BATS_TEST_DIRNAME/..
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/.ci" "$tree/scripts" "$tree/bin"
    cp "$root/.ci/run" "$tree/.ci/"
    stand_in scripts/setup 'echo setup >>log'
    stand_in bin/make 'echo "make $1" >>log; [ "$1" = check ] && echo "3 passed, 0 failed"; exit 0'
}

# stand_in PATH BODY
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$tree/$1"
    chmod +x "$tree/$1"
}

run_ci() {
    cd /
    PATH=$tree/bin:$PATH run "$tree/.ci/run"
    last=${lines[${#lines[@]} - 1]}
}

@test "runs setup before each of both lines, and ends with the count of make check" {
    run_ci
    [ "$status" -eq 0 ]
    [ "$last" = "3 passed, 0 failed" ]
    [ "$(tr '\n' ';' <"$tree/log")" = "setup;make report;setup;make check;" ]
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

@test "fails when setup fails, without calling make" {
    stand_in scripts/setup 'exit 2'
    run_ci
    [ "$status" -ne 0 ]
    [ ! -e "$tree/log" ]
}

@test "its lines are those of the README, word for word" {
    local line
    for line in 'scripts/setup && make report' 'scripts/setup && make check'; do
        grep -qF "'$line'" "$root/.ci/run"
        grep -qx "    $line" "$root/README.md"
    done
}
