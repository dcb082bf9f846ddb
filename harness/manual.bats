#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The manual page, as it is built beside the binary, against what the binary says of itself.

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../build/kneepoint}
    manual=$(dirname "$KNEEPOINT")/kneepoint.1
}

commands() {
    "$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# section COMMAND: its part of the manual.
section() {
    awk -v name="$1" '/^\.S[hs] /{ inside = ($0 == ".Ss " name) } inside' "$manual"
}

# options_of_manual COMMAND, options_of_help COMMAND: long options, sorted; those that argp adds to every command left out.
options_of_manual() {
    section "$1" | grep -o 'Fl -[a-z][a-z-]*' | sed 's/Fl /-/' | sort -u
}

options_of_help() {
    "$KNEEPOINT" "$1" --help | grep -oE '^ +(-[A-Za-z0-9?], )?--[a-z][a-z-]*' | sed 's/.*--/--/' | grep -vxE -- '--(help|usage)' | sort -u
}

@test "the manual page formats without a warning" {
    run groff -mandoc -ww -Tutf8 -z "$manual"
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "man finds nothing to warn about" {
    command -v man >/dev/null || skip "not on this machine: no man program"
    run env LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=w -E UTF-8 -l -Tutf8 -Z "$manual"
    [ "$status" -eq 0 ]
    [[ $output != *warning* ]]
}

@test "every command has a section, and every section is a command" {
    commands | sort >"$BATS_TEST_TMPDIR/commands"
    [ -s "$BATS_TEST_TMPDIR/commands" ]
    sed -n 's/^\.Ss //p' "$manual" | sort | diff - "$BATS_TEST_TMPDIR/commands"
}

@test "every option of every command is in its section, and nothing else is" {
    local name apart=
    commands >"$BATS_TEST_TMPDIR/commands"
    [ -s "$BATS_TEST_TMPDIR/commands" ]
    while read -r name; do
        diff <(options_of_manual "$name") <(options_of_help "$name") || { echo "$name: < manual, > --help"; apart="$apart $name"; }
    done <"$BATS_TEST_TMPDIR/commands"
    [ -z "$apart" ]
}

@test "the exit codes are those of harness/command.h" {
    sed -n 's/^ *EXIT_[A-Z_]* = \([0-9]*\),.*/\1/p' "$BATS_TEST_DIRNAME/exit_code.h" >"$BATS_TEST_TMPDIR/codes"
    [ -s "$BATS_TEST_TMPDIR/codes" ]
    awk '/^\.Sh /{ inside = ($0 == ".Sh EXIT STATUS") } inside' "$manual" | sed -n 's/^\.It \([0-9]*\)$/\1/p' |
        diff - "$BATS_TEST_TMPDIR/codes"
}

@test "the back ends that count are those of the tool, in its order, with its words" {
    awk '/^\.Sh /{ inside = ($0 == ".Sh COUNTERS") } inside' "$manual" >"$BATS_TEST_TMPDIR/section"
    sed -n '/^\.\\" back ends$/,/^\.El$/p' "$BATS_TEST_TMPDIR/section" | sed -n 's/^\.It Cm //p; s/^\\&//p' >"$BATS_TEST_TMPDIR/listed"
    "$KNEEPOINT" info --json | grep '"type":"counters"' |
        sed 's/.*"name":"\([^"]*\)","summary":"\([^"]*\)".*/\1\n\2/' >"$BATS_TEST_TMPDIR/known"
    grep -qx perf "$BATS_TEST_TMPDIR/known"
    diff "$BATS_TEST_TMPDIR/listed" "$BATS_TEST_TMPDIR/known"
}

@test "the help of --counters names every back end" {
    local name
    for name in $("$KNEEPOINT" info --json | sed -n 's/.*"type":"counters","name":"\([^"]*\)".*/\1/p'); do
        "$KNEEPOINT" beta --help | tr -s ' \n' ' ' | grep -qE "Back end that counts: auto,[^;]* $name(,|;| or)"
    done
}
