#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/run_tests in a tree of its own, on programs that pass, fail, crash, hang or lie.

setup() {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/scripts"
    cp "$BATS_TEST_DIRNAME/run_tests" "$tree/scripts/"
    program scripts/check_includes 'echo 1..1; echo "ok 1 - includes"'
    program tool 'exit 0'
    program good_test 'echo 1..2; echo "ok 1 - a"; echo "ok 2 - b"'
}

# program PATH BODY
program() {
    printf '#!/bin/sh\n%s\n' "$2" >"$tree/$1"
    chmod +x "$tree/$1"
}

# run_tests ARGUMENT...: in the tree, without the variables of this bats, so that another can run inside.
run_tests() {
    cd "$tree"
    run env -i PATH="/usr/local/bin:/usr/bin:/bin" KNEEPOINT_TEST_TIMEOUT="${limit_s:-20}" scripts/run_tests --binary tool "$@"
    last=${lines[${#lines[@]} - 1]}
}

@test "all pass: one line a program, counts of single tests, exit 0" {
    run_tests good_test good_test --
    [ "$status" -eq 0 ]
    [ "$last" = "5 passed, 0 failed" ]
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == "ok   good_test"*"2 passed"* ]]
}

@test "a failed test: its output in full, exit 1" {
    program bad_test 'echo 1..2; echo "ok 1 - a"; echo "not ok 2 - b"; echo "the cause" >&2; exit 1'
    run_tests good_test bad_test --
    [ "$status" -eq 1 ]
    [ "$last" = "4 passed, 1 failed" ]
    [[ $output == *"FAIL bad_test"*"| the cause"* ]]
}

@test "output of programs that pass is not shown" {
    program chatty_test 'echo 1..1; echo chatter; echo "ok 1 - a"'
    run_tests chatty_test --
    [ "$status" -eq 0 ]
    [[ $output != *chatter* ]]
}

@test "a result after text without a newline, as from a test that prints, is counted" {
    program printing_test 'printf "text1..3\nmore"; echo "ok 1 - a"; printf "more"; echo "not ok 2 - b"; echo "not ok 3 # SKIP c"; exit 1'
    run_tests printing_test --
    [ "$last" = "2 passed, 1 failed, 1 skipped" ]
}

@test "a crash is one failure and names the signal" {
    program crash_test 'echo 1..3; echo "ok 1 - a"; kill -SEGV $$'
    run_tests crash_test --
    [ "$status" -eq 1 ]
    [ "$last" = "2 passed, 1 failed" ]
    [[ $output == *"killed by SIGSEGV, 1 of 3 tests done"* ]]
}

@test "a hang is ended and is a failure" {
    program hang_test 'echo 1..1; sleep 60'
    limit_s=1 run_tests hang_test --
    [ "$status" -eq 1 ]
    [ "$last" = "1 passed, 1 failed" ]
    [[ $output == *"no end within 1 s"* ]]
}

@test "a program that runs no test is a failure, whatever its exit status" {
    program empty_test 'echo 1..0'
    program silent_test 'exit 3'
    run_tests empty_test silent_test --
    [ "$status" -eq 1 ]
    [ "$last" = "1 passed, 2 failed" ]
    [[ $output == *"ran no test, exit 3"* ]]
}

@test "an end before the announced number of tests is a failure even with exit 0" {
    program early_test 'echo 1..3; echo "ok 1 - a"; exit 0'
    run_tests early_test --
    [ "$last" = "2 passed, 1 failed" ]
    [[ $output == *"ended early"* ]]
}

@test "a non-zero exit after tests that passed, as of a leak checker, is a failure" {
    program leak_test 'echo 1..1; echo "ok 1 - a"; exit 23'
    run_tests leak_test --
    [ "$last" = "2 passed, 1 failed" ]
    [[ $output == *"exit 23 though no test failed"* ]]
}

@test "a program that cannot be started is a failure" {
    run_tests absent_test --
    [ "$status" -eq 1 ]
    [ "$last" = "1 passed, 1 failed" ]
}

@test "no test program at all is a failure" {
    run_tests --
    [ "$status" -eq 1 ]
    [ "$last" = "1 passed, 1 failed" ]
    [[ $output == *"no test program"* ]]
}

@test "bats files run with KNEEPOINT set to the absolute path of the binary; skips are counted apart" {
    printf '%s\n' '@test "finds it" { [ "$KNEEPOINT" = "'"$tree"'/tool" ]; }' '@test "left out" { skip; }' >"$tree/cli.bats"
    run_tests good_test -- cli.bats
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$last" = "4 passed, 0 failed, 1 skipped" ]
}

@test "a bats file that does not parse is a failure" {
    printf '@test "broken" { (\n' >"$tree/broken.bats"
    run_tests good_test -- broken.bats
    [ "$status" -eq 1 ]
    [[ $last == "3 passed, "[1-9]" failed" ]]
}

@test "broken include rules fail the run" {
    program scripts/check_includes 'echo 1..1; echo "not ok 1 - includes"; echo "# micro/x.c:3: wrong"; exit 1'
    run_tests good_test --
    [ "$status" -eq 1 ]
    [ "$last" = "2 passed, 1 failed" ]
    [[ $output == *"micro/x.c:3: wrong"* ]]
}

@test "a test may send itself SIGINT: it is not ignored in programs under test" {
    program interrupt_test 'echo 1..1; trap "echo \"ok 1 - interrupted\"; exit 0" INT; kill -INT $$; sleep 1; echo "not ok 1 - ignored"'
    run_tests interrupt_test --
    [ "$last" = "2 passed, 0 failed" ]
}

@test "no binary: one line, exit 2" {
    cd "$tree"
    run scripts/run_tests --binary absent good_test --
    [ "$status" -eq 2 ]
    [[ $output == *"no program 'absent': run make"* ]]
}
