#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The flags that runs record are those of the code that they measured: whatever objects are made with makes them anew.

setup() {
    root=$(realpath "$BATS_TEST_DIRNAME/..")
    build=$BATS_TEST_TMPDIR/build
    unset MAKEFLAGS MAKELEVEL MFLAGS SAN BUILD CFLAGS CPPFLAGS LDFLAGS
    export CC=gcc
    # One of each rule that makes an object.
    one_of_each="$build/roofline/ebw.o $build/micro/formats/f32/format.o $build/gen/build_info.o"
    one_of_each="$one_of_each $build/micro/quantizers/per_tensor.reference.o"
}

# building [VARIABLE=VALUE]...: the commands of the compiler that make runs for them, one a line.
building() {
    make -C "$root" BUILD="$build" V=1 "$@" $one_of_each | sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' | grep -E -- ' -c ' || true
}

@test "what is built once is not built again with the same flags" {
    run building
    echo "$output"
    [ "${#lines[@]}" -eq 4 ]
    # what is not timed, in less time
    [ "$(grep -c -- ' -Og ' <<<"$output")" -eq 1 ]
    [ -z "$(building)" ]
}

@test "other flags build every object again, and say so" {
    building >/dev/null
    run building CFLAGS=-O3
    echo "$output"
    [ "${#lines[@]}" -eq 4 ]
    [ "$(grep -c -- ' -O3 ' <<<"$output")" -eq 4 ]
    [ "$(grep -c -- ' -Og ' <<<"$output")" -eq 0 ]
    grep -qa -- '-std=gnu17 -O3 ' "$build/gen/build_info.o"
    [ -z "$(building CFLAGS=-O3)" ]
    [ "$(building | wc -l)" -eq 4 ]
}

@test "another preprocessor flag or another compiler does so, too, another linker flag does not" {
    building >/dev/null
    [ "$(CPPFLAGS=-DSOMETHING building | wc -l)" -eq 4 ]
    printf '#!/bin/sh\n[ "$1" = --version ] && echo "gcc 99" && exit\nexec gcc "$@"\n' >"$BATS_TEST_TMPDIR/gcc-99"
    chmod +x "$BATS_TEST_TMPDIR/gcc-99"
    [ "$(building CC="$BATS_TEST_TMPDIR/gcc-99" | wc -l)" -eq 4 ]
    [ -z "$(building CC="$BATS_TEST_TMPDIR/gcc-99" LDFLAGS=-Wl,-O1)" ]
}

@test "every object and every program depends on what it is built with" {
    # make's own table: nothing is built
    make -C "$root" BUILD="$build" -pqr tests 2>/dev/null >"$BATS_TEST_TMPDIR/table" || true
    grep -E "^$build/[^:%]*(\.o|_test|/kneepoint): " "$BATS_TEST_TMPDIR/table" >"$BATS_TEST_TMPDIR/objects"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/objects")" -gt 300 ]
    run grep -v " $build/gen/built_with" "$BATS_TEST_TMPDIR/objects"
    echo "$output"
    [ -z "$output" ]
    grep -vF ".o: " "$BATS_TEST_TMPDIR/objects" >"$BATS_TEST_TMPDIR/programs"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/programs")" -gt 100 ]
    run grep -v " $build/gen/linked_with" "$BATS_TEST_TMPDIR/programs"
    echo "$output"
    [ -z "$output" ]
}

@test "a header of a counting library that is missing is one line of make, and no error" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    # a compiler that finds everything but papi.h
    printf '#!/bin/sh\ncase " $* " in *" -E "*) read -r line; case $line in *papi.h*) exit 1 ;; esac; exit 0 ;; esac\nexec gcc "$@"\n' \
        >"$BATS_TEST_TMPDIR/bin/gcc-without"
    chmod +x "$BATS_TEST_TMPDIR/bin/gcc-without"
    run make -C "$root" BUILD="$build" CC="$BATS_TEST_TMPDIR/bin/gcc-without" "$build/gen/built_with"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"papi.h is missing, what it counts is left out: install libpapi-dev (Debian) or run scripts/setup"* ]]
    grep -q '^optional .*likwid.h' "$build/gen/built_with"
    if grep -q papi "$build/gen/built_with"; then false; fi
}
