#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check_unused on a program of a few lines and its library.

setup() {
    check=$BATS_TEST_DIRNAME/check_unused
    tree=$BATS_TEST_TMPDIR/tree
    mkdir "$tree"
    ld --version | grep -q '^GNU ld' || skip 'not on this machine: the linker is not that of GNU binutils'
    source_file main.c '#include "part.h"' 'int main(void)' '{' '    return called() + inlined_too();' '}'
    source_file part.h 'int called(void);' 'int inlined_too(void);' 'int helper(void);'
    source_file part.c '#include "part.h"' 'int helper(void)' '{' '    return 1;' '}' \
        'int called(void)' '{' '    return helper();' '}' 'int inlined_too(void)' '{' '    return helper() + 1;' '}'
}

# source_file NAME LINE...
source_file() {
    { echo '/* SPDX-License-Identifier: BSD-3-Clause */'; printf '%s\n' "${@:2}"; } >"$tree/$1"
}

# judged [FLAG...]: the tree compiled, all but main.c in its library, and the check run on it.
judged() {
    local source objects=()
    (
        cd "$tree" && rm -f ./*.o library.a
        for source in *.c; do
            "${CC:-cc}" -I. -O2 -ffunction-sections "$@" -c "$source" -o "${source%.c}.o" || exit
            [ "$source" = main.c ] || [[ $source == *_test.c ]] || objects+=("${source%.c}.o")
        done
        "${AR:-ar}" rcs library.a "${objects[@]}"
    )
    run "$check" "$tree" "$tree/main.o" "$tree/library.a"
    echo "$output"
}

@test "a program that calls all of its library passes, inlined calls too" {
    judged
    [ "$status" -eq 0 ]
    [ "$output" = $'1..1\nok 1 - every public function is used' ]
}

@test "a function that nothing calls is found with its file, in an object that is linked and in one that is not" {
    source_file alone.c '#include "part.h"' 'int alone(void)' '{' '    return called();' '}'
    printf '%s\n' 'int idle(int, int);' 'int idle(int a, int b)' '{' '    return a + b;' '}' >>"$tree/part.c"
    judged
    [ "$status" -eq 1 ]
    [ "${lines[1]}" = 'not ok 1 - every public function is used' ]
    [ "${lines[2]}" = "# $tree/alone.c: alone" ]
    [ "${lines[3]}" = "# $tree/part.c: idle" ]
    [ "${#lines[@]}" -eq 4 ]
}

@test "a test, a header of tests, a comment, a string, a member and a structure of that name are no use of a function" {
    source_file idle.c 'int idle(void)' '{' '    return 0;' '}'
    source_file idle_test.c 'int idle(void);' 'int test(void)' '{' '    return idle();' '}'
    source_file idle_testing.h 'static inline int twice(void)' '{' '    return 2 * idle();' '}'
    source_file scalar.h 'static inline int thrice(void)' '{' '    return 3 * idle();' '}'
    source_file scalar_test.c 'int idle(void);' '#include "scalar.h"' 'int other_test(void)' '{' '    return thrice();' '}'
    source_file word.h '/* idle() is not' '   called by idle */' 'struct idle {' '    int idle;' '};' 'int word(struct idle *of);'
    source_file word.c '#include "word.h"' 'int word(struct idle *of)' '{' '    return of->idle + "idle()"[0]; // idle()' '}'
    source_file main.c '#include "part.h"' '#include "word.h"' 'int main(void)' '{' '    struct idle of = {.idle = 1};' \
        '    return called() + inlined_too() + word(&of);' '}'
    judged
    [ "$status" -eq 1 ]
    [ "${lines[2]}" = "# $tree/idle.c: idle" ]
    [ "${#lines[@]}" -eq 3 ]
}

@test "what a build leaves out and what another program of the tree calls is used" {
    source_file idle.c 'int idle(void)' '{' '    return 0;' '}' 'int other(void)' '{' '    return 0;' '}'
    printf '%s\n' '#ifdef ELSEWHERE' 'int idle(void);' 'int elsewhere(void)' '{' '    return idle();' '}' '#endif' >>"$tree/part.c"
    mkdir "$tree/fuzz"
    source_file fuzz/target.c 'int other(void);' 'int main(void)' '{' '    return other();' '}'
    judged
    [ "$status" -eq 0 ]
}

@test "a function for tests alone is excused by the reason at its declaration, the next one is not" {
    source_file idle.c '#include "idle.h"' 'int idle(int *value)' '{' '    return *value;' '}' 'int other(void)' '{' '    return 0;' '}'
    source_file idle.h '/**' ' * What it is; a sentence. Tests only: it looks at private data.' ' * @param value  one; or' ' */' 'int idle(' \
        '    int *value);' 'int other(void);'
    judged
    [ "$status" -eq 1 ]
    [ "${lines[2]}" = "# $tree/idle.c: other" ]
    [ "${#lines[@]}" -eq 3 ]
}

@test "objects with sanitizers are a skip that says why" {
    "${CC:-cc}" -fsanitize=undefined -xc -c -o /dev/null - <<<'int x;' 2>/dev/null || skip 'not on this machine: no sanitizers'
    source_file main.c '#include "part.h"' 'int main(int count, char **words)' '{' '    (void)words;' \
        '    return called() + inlined_too() + count * count;' '}'
    judged -fsanitize=undefined
    [ "$status" -eq 0 ]
    [[ ${lines[1]} == 'ok 1 - every public function is used # SKIP not on this machine: sanitizers keep what nothing calls' ]]
}

@test "another linker is a skip that says why" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\necho LLD 14.0.6\n' >"$BATS_TEST_TMPDIR/bin/ld"
    chmod +x "$BATS_TEST_TMPDIR/bin/ld"
    judged
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$check" "$tree" "$tree/main.o" "$tree/library.a"
    [ "$status" -eq 0 ]
    [[ ${lines[1]} == *'# SKIP not on this machine: the linker is not that of GNU binutils' ]]
}

@test "a check that cannot run has not passed: no objects, or files that are not objects" {
    run "$check" "$tree" "$tree/main.o" "$tree/library.a"
    [ "$status" -eq 2 ]
    [ "$output" = "check_unused: there is no $tree/main.o: run make" ]
    judged
    echo nothing >"$tree/library.a"
    run "$check" "$tree" "$tree/main.o" "$tree/library.a"
    [ "$status" -eq 1 ]
    [[ $output == *'not ok 1'*'the check itself failed'* ]]
    judged -fno-function-sections
    [ "$status" -eq 1 ]
    [[ $output == *"$tree/main.o is not compiled with -ffunction-sections"* ]]
    run "$check" one
    [ "$status" -eq 2 ]
}
