#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check_format on a small tree.

setup() {
    check=$BATS_TEST_DIRNAME/check_format
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/micro" "$tree/build"
    cp "$BATS_TEST_DIRNAME/../.clang-format" "$tree/"
    printf '/* A comment that stays. */\nint one(int value)\n{\n    return value;\n}\n' >"$tree/micro/one.c"
    printf 'int  one( int );\n' >"$tree/build/made.h"
    printf '.macro step\n        vpand   zmm0,zmm1,zmm2   // laid out by hand\n.endm\n' >"$tree/micro/step.h"
    printf '        vpand   zmm0,zmm1,zmm2\n' >"$tree/micro/step.inc"
}

formatter_or_skip() {
    clang-format-14 --version >/dev/null 2>&1 || clang-format --version 2>/dev/null | grep -q 'version 14\.' ||
        skip "not on this machine: no clang-format 14"
}

@test "a tree that is laid out passes; assembly and what was built is left alone" {
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 1..2 ]
}

@test "a source that is not laid out is named, with the remedy, and --fix lays it out" {
    formatter_or_skip
    printf 'int  two( int value ){return value;}\n' >"$tree/micro/two.c"
    local before
    before=$(cksum "$tree"/micro/step.* "$tree/build/made.h")
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 1 ]
    [ "${lines[1]}" = "not ok 1 - C sources as clang-format lays them out" ]
    [ "${lines[2]}" = "# micro/two.c" ]
    [ "${lines[3]}" = "# make format lays them out" ]
    "$check" --fix "$tree"
    run "$check" "$tree"
    [ "$status" -eq 0 ]
    [ "$before" = "$(cksum "$tree"/micro/step.* "$tree/build/made.h")" ]
}

@test "texts are not broken again, and a declarator stays beside its type" {
    formatter_or_skip
    local text
    text="$(printf 'word %.0s' {1..30})"
    printf 'const char *const text =\n    "%s"\n    "and its end";\n/* %s */\n' "$text" "$text" >"$tree/micro/two.c"
    printf 'struct one {\n    const unsigned char *with_a_name; /* %077d */\n};\n' 0 >>"$tree/micro/two.c" # 121 characters
    cp "$tree/micro/two.c" "$BATS_TEST_TMPDIR/before"
    "$check" --fix "$tree"
    diff "$BATS_TEST_TMPDIR/before" "$tree/micro/two.c"
}

@test "another clang-format, or none, is a skip with the version and the remedy" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\necho "clang-format version 99.1.2"\n' >"$BATS_TEST_TMPDIR/bin/clang-format"
    cp "$BATS_TEST_TMPDIR/bin/clang-format" "$BATS_TEST_TMPDIR/bin/clang-format-14"
    chmod +x "$BATS_TEST_TMPDIR"/bin/*
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ ${lines[1]} == "ok 1 - "*"# SKIP not on this machine: clang-format 14 is not here, but 99.1.2;"* ]]
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$check" --fix "$tree"
    [ "$status" -eq 2 ]
}

@test "a text without its last newline, with CR or in another encoding is named" {
    printf 'int x;' >"$tree/micro/end.c"
    printf 'a\r\n' >"$tree/micro/dos.tsv"
    printf 'caf\351\n' >"$tree/micro/latin.md"
    run "$check" "$tree"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"not ok 2"* && $output == *"micro/end.c: no newline"* && $output == *"micro/dos.tsv: CR"* && $output == *"micro/latin.md: not UTF-8"* ]]
}

@test "a folder that is not there is one line, and exit 2" {
    run "$check" nowhere
    [ "$status" -eq 2 ]
    [ "$output" = "check_format: cannot enter the folder nowhere" ]
}
