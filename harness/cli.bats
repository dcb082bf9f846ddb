#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# What holds for the command line as a whole and for every subcommand, whichever there are.

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
}

commands() {
    "$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# apart COMMAND...: $status, standard output in $out and standard error in $err.
apart() {
    run sh -c '"$@" >out 2>err' sh "$@"
    out=$(cat out) err=$(cat err)
}

# complains EXIT TEXT: the last `apart` wrote nothing to standard output and one line with TEXT to standard error.
complains() {
    echo "exit $status, standard output '$out', standard error '$err'"
    [ "$status" -eq "$1" ] && [ -z "$out" ] && [ "$(wc -l <err)" -eq 1 ] && [[ $err == *"$2"* ]]
}

@test "--help, -h and help list the commands and the exit codes" {
    local way
    for way in --help -h help; do
        apart "$KNEEPOINT" $way
        [ "$status" -eq 0 ]
        [ -z "$err" ]
        [[ $out == *"Usage: kneepoint <command>"*"Commands:"*"Exit: 0 done"* ]]
    done
}

@test "every command of the path from machine to report is there" {
    local name
    for name in info list beta gamma gemv characterize predict report figure; do
        commands | grep -qx "$name"
    done
}

@test "commands are listed once each, in order, with a summary that fits a terminal" {
    commands >names
    [ -s names ]
    sort -u names | diff - names
    [ "$("$KNEEPOINT" --help | grep -c '.\{101,\}')" -eq 0 ]
    [ "$("$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/p' | grep -c '^  [a-z]*  *[^ ]')" -eq "$(wc -l <names)" ]
}

@test "--version" {
    apart "$KNEEPOINT" --version
    [ "$status" -eq 0 ]
    [[ $out =~ ^kneepoint\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "no command" {
    apart "$KNEEPOINT"
    complains 2 'no command given; `kneepoint --help`'
}

@test "no command on a terminal: what it is, and five commands to begin with" {
    command -v script >/dev/null || skip "not on this machine: no script program"
    script -qec "'$KNEEPOINT'" typescript </dev/null | tr -d '\r' >out
    [ "$(grep -c '^  kneepoint ' out)" -eq 5 ]
    [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
    seconds=$("$KNEEPOINT" characterize --help | tr -s ' \n' ' ' | sed 's/.*every cell, however long it takes (default: \([0-9]*\)).*/\1/')
    grep -qx "  kneepoint characterize   measure it, in $seconds s; with --report also as a page" out
    local name
    for name in $(sed -n 's/^  kneepoint \([a-z]*\) .*/\1/p' out); do
        commands | grep -qx "$name"
    done
}

@test "each command that has --json has --csv and --markdown beside it" {
    local name
    commands >names
    while read -r name; do
        "$KNEEPOINT" "$name" --help >help
        for form in csv markdown; do
            [ "$(grep -cE '^ +(-j, )?--json' help)" -eq "$(grep -cE "^ +--$form" help)" ] || { echo "$name --$form"; false; }
        done
    done <names
}

@test "-j is --json wherever there is --json" {
    local name
    commands >names
    while read -r name; do
        "$KNEEPOINT" "$name" --help >help
        [ "$(grep -cE '^ +(-., )?--json' help)" -eq "$(grep -cE '^ +-j, --json' help)" ] || { echo "$name"; false; }
    done <names
}

@test "unknown command" {
    apart "$KNEEPOINT" ganma
    complains 2 "unknown command 'ganma'; \`kneepoint --help\` lists them; did you mean 'gamma'?"
    apart "$KNEEPOINT" ''
    complains 2 "unknown command ''"
    apart "$KNEEPOINT" --bogus
    complains 2 "unknown command '--bogus'"
}

@test "each command: --help on standard output, exit 0" {
    local name
    commands >names
    [ -s names ]
    while read -r name; do
        apart "$KNEEPOINT" "$name" --help
        echo "$name: exit $status: $err"
        [ "$status" -eq 0 ]
        [ -z "$err" ]
        [[ $out == *"Usage: kneepoint $name"* ]]
        [[ $out == *"--help"* ]]
    done <names
}

@test "each command: an unknown option is one line that names it and the remedy, exit 2" {
    local name
    commands >names
    [ -s names ]
    while read -r name; do
        apart "$KNEEPOINT" "$name" --no-such-option
        complains 2 "kneepoint $name: unrecognized option '--no-such-option'; \`kneepoint $name --help\`"
    done <names
}

@test "each command: nothing is written by --help and by a wrong option" {
    local name
    commands >names
    [ -s names ]
    mkdir empty
    cd empty
    while read -r name; do
        "$KNEEPOINT" "$name" --help >/dev/null
        "$KNEEPOINT" "$name" --no-such-option 2>/dev/null || true
    done <../names
    [ -z "$(ls -A)" ]
}

@test "standard output that cannot be written is an error, not a success" {
    [ -w /dev/full ] || skip "not on this machine: no /dev/full"
    local way
    for way in --help --version 'gemv --help' 'help gemv' 'compare --usage' 'list kernels' 'list shapes --json'; do
        run sh -c '"$0" $1 2>&1 >/dev/full' "$KNEEPOINT" "$way"
        [ "$status" -eq 2 ]
        [[ $output == *"cannot write to standard output"* ]]
        [ "${#lines[@]}" -eq 1 ]
    done
}

@test "it runs from any folder and through a symbolic link" {
    ln -s "$KNEEPOINT" linked
    apart ./linked --help
    [ "$status" -eq 0 ]
    [[ $out == *"Usage: kneepoint <command>"* ]]
}
