#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The examples by their own text: files and commands are taken from the README of each and run as they stand.

load ../harness/cmd/measuring

ROOT=$BATS_TEST_DIRNAME/..

# fenced LANGUAGE README: the text of its code blocks in that language.
fenced() {
    awk -v begin="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == begin { inside = 1 }' "$2"
}

# as_installed: a pkg-config file for this tree and the tool on PATH, which is all that the commands ask for.
as_installed() {
    command -v pkg-config >/dev/null || skip "not on this machine: no pkg-config"
    mkdir bin pc
    ln -s "$(readlink -f "$KNEEPOINT")" bin/kneepoint
    printf 'Name: kneepoint\nDescription: headers\nVersion: 0\nCflags: -I%s\n' "$(readlink -f "$ROOT")" >pc/kneepoint.pc
    export PATH=$PWD/bin:$PATH PKG_CONFIG_PATH=$PWD/pc
}

# follow README: run its commands. Their output goes to file out.
follow() {
    fenced sh "$1" >commands
    [ "$(wc -l <commands)" -ge 2 ]
    apart sh -e commands
    echo "exit $status, standard error '$(cat err)'"
    [ "$status" -eq 0 ]
    [ ! -s err ]
}

@test "examples/plugin: built and run by its text alone" {
    command -v cc >/dev/null || skip "not on this machine: no C compiler"
    [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo || skip "not on this machine: the example is for AVX2"
    as_installed
    fenced c "$ROOT/examples/plugin/README.md" >mine.c
    [ "$(wc -l <mine.c)" -le 120 ]
    follow "$ROOT/examples/plugin/README.md"
    grep -qE '^four.mine.avx2 +mine +4 +8 +8 +1048576 f32 +no +gemv gemm +yes$' out
    grep -qE '^four.mine.avx2 +512x1024 +1 cold ' out
    grep -qE '^f32.dot.avx2 +512x1024 +1 cold ' out
    cc -std=gnu17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -mavx2 -mfma -fPIC -c -I"$ROOT" mine.c -o mine.o
}

@test "examples/plugin_cpp: the template builds and its kernel is right" {
    command -v c++ >/dev/null || skip "not on this machine: no C++ compiler"
    as_installed
    cp "$ROOT"/examples/plugin_cpp/*.[ch]pp .
    follow "$ROOT/examples/plugin_cpp/README.md"
    grep -qE '^rows8.theirs +512x1024 +1 cold ' out
}
