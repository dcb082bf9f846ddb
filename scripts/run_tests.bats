#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/run_tests in a tree of its own, on programs that pass, fail, crash, hang or lie.

setup() {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/scripts"
    cp "$BATS_TEST_DIRNAME/run_tests" "$tree/scripts/"
    program tool 'exit 0'
    program tool-steady 'exit 0'
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
    run env -i PATH="/usr/local/bin:/usr/bin:/bin" KNEEPOINT_TEST_TIMEOUT="${limit_s:-20}" KNEEPOINT_TEST_JOBS="${jobs:-1}" \
        scripts/run_tests --binary tool "$@"
    last=${lines[${#lines[@]} - 1]}
}

@test "all pass: one line a program, counts of single tests, exit 0" {
    run_tests good_test good_test --
    [ "$status" -eq 0 ]
    [ "$last" = "4 passed, 0 failed" ]
    [ "${#lines[@]}" -eq 3 ]
    [[ ${lines[0]} == "ok   good_test"*"2 passed"* ]]
}

@test "programs of another architecture run under the emulator that is named" {
    program emulator 'echo "# with $1"; shift; exec "$@"'
    cd "$tree"
    run env -i PATH="/usr/local/bin:/usr/bin:/bin" KNEEPOINT_TEST_EMULATOR="$PWD/emulator --option" scripts/run_tests --binary tool good_test --
    [ "${lines[${#lines[@]} - 1]}" = "2 passed, 0 failed" ]
    run env -i PATH="/usr/local/bin:/usr/bin:/bin" KNEEPOINT_TEST_EMULATOR=false scripts/run_tests --binary tool good_test --
    [ "$status" -eq 1 ]
}

@test "a failed test: its output in full, exit 1" {
    program bad_test 'echo 1..2; echo "ok 1 - a"; echo "not ok 2 - b"; echo "the cause" >&2; exit 1'
    run_tests good_test bad_test --
    [ "$status" -eq 1 ]
    [ "$last" = "3 passed, 1 failed" ]
    [[ $output == *"FAIL bad_test"*"| the cause"* ]]
}

@test "output of programs that pass is not shown" {
    program chatty_test 'echo 1..1; echo chatter; echo "ok 1 - a"'
    run_tests chatty_test --
    [ "$status" -eq 0 ]
    [[ $output != *chatter* ]]
}

@test "a result after text without a newline, as from a test that prints, is counted" {
    program printing_test 'printf "text1..3\nmore"; echo "ok 1 - a"; printf "more"; echo "not ok 2 - b"; echo "# noise: so it was"; echo "not ok 3 # SKIP c"; exit 1'
    run_tests printing_test --
    [ "$last" = "1 passed, 1 failed, 1 skipped" ]
}

@test "a crash is one failure and names the signal" {
    program crash_test 'echo 1..3; echo "ok 1 - a"; kill -SEGV $$'
    run_tests crash_test --
    [ "$status" -eq 1 ]
    [ "$last" = "1 passed, 1 failed" ]
    [[ $output == *"killed by SIGSEGV, 1 of 3 tests done"* ]]
}

@test "a hang is ended and is a failure" {
    program hang_test 'echo 1..1; sleep 60'
    limit_s=1 run_tests hang_test --
    [ "$status" -eq 1 ]
    [ "$last" = "0 passed, 1 failed" ]
    [[ $output == *"no end within 1 s"* ]]
}

@test "a program that runs no test is a failure, whatever its exit status" {
    program empty_test 'echo 1..0'
    program silent_test 'exit 3'
    run_tests empty_test silent_test --
    [ "$status" -eq 1 ]
    [ "$last" = "0 passed, 2 failed" ]
    [[ $output == *"ran no test, exit 3"* ]]
}

@test "an end before the announced number of tests is a failure even with exit 0" {
    program early_test 'echo 1..3; echo "ok 1 - a"; exit 0'
    run_tests early_test --
    [ "$last" = "1 passed, 1 failed" ]
    [[ $output == *"ended early"* ]]
}

@test "a non-zero exit after tests that passed, as of a leak checker, is a failure" {
    program leak_test 'echo 1..1; echo "ok 1 - a"; exit 23'
    run_tests leak_test --
    [ "$last" = "1 passed, 1 failed" ]
    [[ $output == *"exit 23 though no test failed"* ]]
}

@test "a program that cannot be started is a failure" {
    run_tests absent_test --
    [ "$status" -eq 1 ]
    [ "$last" = "0 passed, 1 failed" ]
}

@test "no test program at all is a failure" {
    run_tests --
    [ "$status" -eq 1 ]
    [ "$last" = "0 passed, 1 failed" ]
    [[ $output == *"no test program"* ]]
}

@test "programs find the tool as KNEEPOINT, by its absolute path" {
    program judging_check "echo 1..1; [ \"\$KNEEPOINT\" = '$tree/tool' ] && echo 'ok 1 - a' || { echo 'not ok 1 - a'; exit 1; }"
    run_tests judging_check "$tree/judging_check" --
    [ "$status" -eq 0 ]
    [ "$last" = "2 passed, 0 failed" ]
}

@test "bats files find the tool with stand-ins as KNEEPOINT, by its absolute path; those that say shipped: the tool itself" {
    printf '%s\n' '@test "with stand-ins" { [ "$KNEEPOINT" = "'"$tree"'/tool-steady" ]; }' >"$tree/cli.bats"
    printf '%s\n' '# shipped: it measures' '@test "itself" { [ "$KNEEPOINT" = "'"$tree"'/tool" ]; }' >"$tree/itself.bats"
    run_tests good_test -- cli.bats itself.bats
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$last" = "4 passed, 0 failed" ]
    rm "$tree/tool-steady"
    run_tests good_test --
    [ "$status" -eq 0 ]
    run_tests good_test -- cli.bats
    [ "$status" -eq 2 ]
    [[ $output == *"no program '$tree/tool-steady': run make tests"* ]]
}

# What a machine is busy with, or how fast it is, is then no matter of any other test.
@test "of this tree's bats files measured.bats and selftest.bats measure; only install.bats and additions.bats, too, run what is shipped" {
    cd "$BATS_TEST_DIRNAME/.."
    local file shipped
    shipped=$(find . -name '*.bats' ! -path './build/*' -exec awk 'FNR > 20 { nextfile } /^# shipped: / { print FILENAME; nextfile }' {} + | sort | tr '\n' ' ')
    [ "$shipped" = "./harness/cmd/measured.bats ./harness/cmd/selftest.bats ./packaging/install.bats ./scripts/additions.bats " ]
    # nor does one find it by itself
    for file in $(find . \( -name '*.bats' -o -name '*.bash' \) ! -path './build/*'); do
        [[ " $shipped" != *" $file "* && $file != ./scripts/run_tests.bats ]] || continue
        ! grep -nE 'build/kneepoint([^-_.a-z]|$)' "$file" || { echo "$file runs what is shipped, which measures"; return 1; }
    done
}

@test "a bats file that does not parse is a failure" {
    printf '@test "broken" { (\n' >"$tree/broken.bats"
    run_tests good_test -- broken.bats
    [ "$status" -eq 1 ]
    [[ $last == "2 passed, "[1-9]" failed" ]]
}

@test "skips are counted by kind, with their reasons, before the last line" {
    printf '%s\n' '@test "a" { skip "not on this machine: no PMU"; }' '@test "b" { skip "noise: too busy"; }' >"$tree/cli.bats"
    program skip_test 'echo 1..3; for i in 1 2; do echo "# not on this machine: no PMU"; echo "ok $i - a # SKIP"; done; echo "ok 3 - b"'
    run_tests skip_test -- cli.bats
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$last" = "1 passed, 0 failed, 4 skipped" ]
    [ "${lines[${#lines[@]} - 3]}" = "not on this machine: 3 skipped" ]
    [ "${lines[${#lines[@]} - 2]}" = "noise: 1 skipped, of at most 3" ]
    [[ $output == *"- not on this machine: no PMU (2)"* ]]
    [[ $output == *"- noise: too busy"* ]]
}

@test "a skip that says neither kind is a failure, in bats and in cmocka" {
    printf '%s\n' '@test "a" { skip; }' '@test "b" { skip "no PMU"; }' >"$tree/cli.bats"
    # the reason of the test before it is not its own
    program skip_test 'echo 1..3; echo "# noise: busy"; echo "ok 1 - a # SKIP"; echo "ok 2 - b # SKIP"; echo "ok 3 - c"'
    run_tests skip_test -- cli.bats
    echo "$output"
    [ "$status" -eq 1 ]
    [ "$last" = "1 passed, 3 failed, 1 skipped" ]
    [[ $output == *"says neither \"not on this machine: \" nor \"noise: \": ok 2 b # skip no PMU"* ]]
}

@test "more than three skips for noise are a failure" {
    program noisy_test 'echo 1..3; for i in 1 2 3; do echo "# noise: busy"; echo "ok $i - a # SKIP"; done'
    run_tests noisy_test good_test --
    [ "$status" -eq 0 ]
    [ "$last" = "2 passed, 0 failed, 3 skipped" ]
    run_tests noisy_test noisy_test good_test --
    [ "$status" -eq 1 ]
    [ "$last" = "2 passed, 1 failed, 6 skipped" ]
    [[ $output == *"6 tests skipped for noise, more than 3"* ]]
}

# until_lines COUNT FILE: commands that wait for so many, however long a busy machine takes to start the program that writes the next.
until_lines() {
    echo "for _ in \$(seq 600); do [ \"\$(wc -l <$2)\" -lt $1 ] || break; sleep 0.05; done; sleep 0.3"
}

# Programs that say when they begin and end, into file log; not before $beside of them have begun.
logging_test() {
    mkdir -p "$tree/$(dirname "$1")" "$tree/build/$(dirname "$1")"
    printf '/* SPDX\n *\n * %s\n */\n' "$2" >"$tree/$1.c"
    program "build/$1" "echo begin $1 >>log; $(until_lines "${beside:-1}" log); echo end $1 >>log; echo 1..1; echo 'ok 1 - a'"
}

@test "programs run beside each other, but for those that say that they are timed or want to be alone" {
    local beside=2
    logging_test a/one_test 'pure'
    logging_test a/two_test 'not timed: this is no such line'
    logging_test a/three_test 'timed: it looks at the clock'
    logging_test a/four_test 'alone: a folder of the build'
    printf '# alone: a browser\n@test "a" { echo begin bats >>log; echo end bats >>log; }\n' >"$tree/a.bats"
    jobs=4 run_tests build/a/three_test build/a/one_test build/a/four_test build/a/two_test -- a.bats
    echo "$output"
    cat log
    [ "$last" = "5 passed, 0 failed" ]
    [ "$(head -n 2 log | cut -d' ' -f1 | tr '\n' ' ')" = 'begin begin ' ]
    [ "$(tail -n 6 log | tr '\n' ';')" = 'begin a/three_test;end a/three_test;begin a/four_test;end a/four_test;begin bats;end bats;' ]
}

@test "tests that say they are slow begin first" {
    logging_test a/one_test 'pure'
    logging_test a/two_test 'slow: it simulates'
    run_tests build/a/one_test build/a/two_test --
    [ "$(head -n 1 "$tree/log")" = 'begin a/two_test' ]
}

@test "programs that run beside each other have different turns, and the next has one that is free" {
    for name in one two three; do
        program $name "echo \$KNEEPOINT_TURN >>turns; $(until_lines 2 turns); echo 1..1; echo 'ok 1 - a'"
    done
    jobs=2 run_tests one two three --
    [ "$last" = "3 passed, 0 failed" ]
    [ "$(sort "$tree/turns" | uniq | tr '\n' ' ')" = '0 1 ' ]
}

@test "--fast: neither what wants to be alone, nor what is slow, nor bats files" {
    logging_test a/one_test 'pure'
    logging_test a/two_test 'slow: it simulates'
    logging_test a/three_test 'timed: it looks at the clock'
    printf '@test "a" { false; }\n' >"$tree/a.bats"
    run_tests --fast build/a/three_test build/a/one_test build/a/two_test -- a.bats
    [ "$status" -eq 0 ]
    [ "$last" = "1 passed, 0 failed" ]
    run_tests build/a/two_test --
    [ "$last" = "1 passed, 0 failed" ]
}

@test "interrupted: the programs that run are ended, exit 130" {
    program long_test 'trap "echo ended >>log; exit 1" TERM; echo begun >>log; sleep 30 & wait'
    cd "$tree"
    KNEEPOINT_TEST_JOBS=2 scripts/run_tests --binary tool long_test long_test -- >out 2>&1 &
    local pid=$!
    for _ in $(seq 1200); do [ "$(grep -c begun log 2>/dev/null)" != 2 ] || break; sleep 0.05; done
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ "$status" -eq 130 ]
    [ "$(grep -c ended log)" -eq 2 ]
}

@test "a test may send itself SIGINT: it is not ignored in programs under test" {
    program interrupt_test 'echo 1..1; trap "echo \"ok 1 - interrupted\"; exit 0" INT; kill -INT $$; sleep 1; echo "not ok 1 - ignored"'
    run_tests interrupt_test --
    [ "$last" = "1 passed, 0 failed" ]
}

@test "no binary: one line, exit 2" {
    cd "$tree"
    run scripts/run_tests --binary absent good_test --
    [ "$status" -eq 2 ]
    [[ $output == *"no program 'absent': run make"* ]]
}

@test "tests write into memory where that has room, and nothing stays there; or where TMPDIR says" {
    program writing_test 'echo 1..1; echo "$TMPDIR" >written; [ -z "$TMPDIR" ] || : >"$TMPDIR/file"; echo "ok 1 - a"'
    run_tests writing_test --
    [ "$last" = "1 passed, 0 failed" ]
    [[ $(cat written) == /dev/shm/kp.*/tmp ]] || [ -z "$(cat written)" ]
    [ -z "$(cat written)" ] || [ ! -e "$(dirname "$(cat written)")" ]
    run env -i PATH="/usr/local/bin:/usr/bin:/bin" TMPDIR="$PWD" scripts/run_tests --binary tool writing_test --
    [ "$(cat written)" = "$PWD" ]
}
