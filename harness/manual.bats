#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The manual pages, as they are built beside the binary, against what the binary says of itself.

setup() {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../build/kneepoint-steady}
    pages=$(dirname "$KNEEPOINT")/man
}

commands() {
    "$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# page NAME: of a command, or the file of that name.
page() {
    cat "$pages/kneepoint-$1.1"
}

# options_of_manual COMMAND, options_of_help COMMAND: long options, sorted; those that argp adds to every command left out.
options_of_manual() {
    page "$1" | grep -o 'Fl -[a-z][a-z-]*' | sed 's/Fl /-/' | grep -vxE -- '--(help|usage)' | sort -u
}

options_of_help() {
    "$KNEEPOINT" "$1" --help | grep -oE '^ +(-[A-Za-z0-9?], )?--[a-z][a-z-]*' | sed 's/.*--/--/' | grep -vxE -- '--(help|usage)' | sort -u
}

# items COMMAND: long options that have an entry of their own in the page, one a line.
items() {
    page "$1" | sed -n '/^\.It /p' | grep -o 'Fl -[a-z][a-z-]*' | sed 's/Fl /-/' | sort
}

# section FILE NAME: that part of a page.
section() {
    awk -v name="$2" '/^\.Sh /{ inside = ($0 == ".Sh " name) } inside' "$pages/$1"
}

# of_this_tree: the pages that make installs; an older build may have left others.
of_this_tree() {
    local source
    for source in "$BATS_TEST_DIRNAME"/../man/*.[1-9]; do
        echo "$pages/${source##*/}"
    done
}

@test "every page formats without a warning" {
    run groff -mandoc -ww -Tutf8 -z $(of_this_tree)
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "mandoc finds nothing to warn about" {
    command -v mandoc >/dev/null || skip "not on this machine: no mandoc"
    run mandoc -T lint -W warning $(of_this_tree)
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "man finds nothing to warn about" {
    command -v man >/dev/null || skip "not on this machine: no man program"
    run env LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=w -E UTF-8 -l -Tutf8 -Z $(of_this_tree)
    [ "$status" -eq 0 ]
    [[ $output != *warning* ]]
}

@test "every command has a page and a line in kneepoint(1), and every page is a command's" {
    commands | sort >"$BATS_TEST_TMPDIR/commands"
    [ -s "$BATS_TEST_TMPDIR/commands" ]
    of_this_tree | sed -n 's/.*kneepoint-\(.*\)\.1$/\1/p' | sort | diff - "$BATS_TEST_TMPDIR/commands"
    section kneepoint.1 COMMANDS | sed -n 's/^\.It Xr kneepoint-\([a-z]*\) 1$/\1/p' | diff - "$BATS_TEST_TMPDIR/commands"
}

@test "a page says what a command does with the words of --help" {
    local name
    for name in $(commands); do
        page "$name" | sed -n "s/^\.Nd /$name: /p"
    done | diff - <("$KNEEPOINT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1: \2/p')
}

@test "every option of every command is in its page, once, and nothing else is" {
    local name apart=
    for name in $(commands); do
        diff <(options_of_manual "$name") <(options_of_help "$name") || { echo "$name: < manual, > --help"; apart="$apart $name"; }
        items "$name" | uniq -d | sed "s/^/$name: twice: /" >"$BATS_TEST_TMPDIR/twice"
        diff <(items "$name" | sort -u) <(options_of_help "$name") || { echo "$name: < entries, > --help"; apart="$apart $name"; }
        [ ! -s "$BATS_TEST_TMPDIR/twice" ] || { cat "$BATS_TEST_TMPDIR/twice"; apart="$apart $name"; }
    done
    [ -z "$apart" ]
}

@test "every page that is referred to is there" {
    local name number
    while read -r name number; do
        [ -f "$pages/$name.$number" ] || { echo "no $name($number)"; return 1; }
    done < <(cat $(of_this_tree) | grep -oE 'Xr kneepoint[a-z-]* [0-9]' | cut -d' ' -f2- | sort -u)
}

# Formats of one family are drawn alike.
@test "nothing is said twice: no two pages have the same long sentence" {
    cat $(of_this_tree | grep -v '/kneepoint-formats\.7$') | grep -vE '^\.' | grep -E '.{90,}' | sort | uniq -d >"$BATS_TEST_TMPDIR/twice"
    cat "$BATS_TEST_TMPDIR/twice"
    [ ! -s "$BATS_TEST_TMPDIR/twice" ]
}

@test "the exit codes are those of harness/command/command.h" {
    sed -n 's/^ *EXIT_[A-Z_]* = \([0-9]*\),.*/\1/p' "$BATS_TEST_DIRNAME/command/exit_code.h" >"$BATS_TEST_TMPDIR/codes"
    [ -s "$BATS_TEST_TMPDIR/codes" ]
    section kneepoint.1 'EXIT STATUS' | sed -n 's/^\.It \([0-9]*\)$/\1/p' | diff - "$BATS_TEST_TMPDIR/codes"
}

@test "the back ends that count are those of the tool, in its order, with its words" {
    section kneepoint-measuring.7 COUNTERS >"$BATS_TEST_TMPDIR/section"
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

@test "help COMMAND shows the page that lies with the program" {
    local bin=$BATS_TEST_TMPDIR/opt/bin
    mkdir -p "$bin" "$BATS_TEST_TMPDIR/opt/share/man/man1" "$BATS_TEST_TMPDIR/opt/share/man/man5" "$BATS_TEST_TMPDIR/path"
    cp "$KNEEPOINT" "$bin/kneepoint"
    printf '#!/bin/sh\necho "man $*"\n' >"$BATS_TEST_TMPDIR/path/man"
    chmod +x "$BATS_TEST_TMPDIR/path/man"
    touch "$BATS_TEST_TMPDIR/opt/share/man/man1/kneepoint-beta.1" "$BATS_TEST_TMPDIR/opt/share/man/man5/kneepoint-records.5.gz"
    [[ $(PATH=$BATS_TEST_TMPDIR/path "$bin/kneepoint" help beta) == "man -l $bin/"*/man1/kneepoint-beta.1 ]]
    [[ $(PATH=$BATS_TEST_TMPDIR/path "$bin/kneepoint" help records) == "man -l $bin/"*/man5/kneepoint-records.5.gz ]]
    # no page of it, or no man program
    diff <(PATH=$BATS_TEST_TMPDIR/path "$bin/kneepoint" help gamma) <("$KNEEPOINT" gamma --help)
    diff <(PATH=$BATS_TEST_TMPDIR/none "$bin/kneepoint" help beta) <("$KNEEPOINT" beta --help)
    # the same of a page that is no command
    run "$bin/kneepoint" help fleet
    [ "$status" -eq 2 ]
    [ "$output" = "kneepoint help: the manual page of 'fleet' is not beside this program: run it where make built or installed it" ]
    run env PATH="$BATS_TEST_TMPDIR/none" "$bin/kneepoint" help records
    [ "$status" -eq 2 ]
    [[ $output == "kneepoint help: man did not show $bin/"*"/man5/kneepoint-records.5.gz: install man-db, or read that file" ]]
}

@test "help for an unknown command is one line, exit 2" {
    run "$KNEEPOINT" help ganma
    [ "$status" -eq 2 ]
    [ "$output" = "kneepoint help: no manual page of 'ganma'; \`kneepoint --help\` lists the commands, and other pages are fleet, formats, measuring, platform, plugin, records; did you mean 'gamma'?" ]
    [ "$("$KNEEPOINT" help . 2>&1 | sed 's/.*other pages are //; s/, /\n/g')" = "$(ls "$BATS_TEST_DIRNAME/../man" | sed -n 's/^kneepoint-\(.*\)\.[57]$/\1/p')" ]
    run "$KNEEPOINT" help ../etc/passwd
    [ "$status" -eq 2 ]
    run "$KNEEPOINT" help beta gamma
    [ "$status" -eq 2 ]
    [[ $output == *"name one command or page; 'gamma' is a second"* ]]
}

@test "every format has its layout, which is drawn, in kneepoint-formats(7)" {
    local root=$BATS_TEST_DIRNAME/..
    sed -n 's/^\.Ss //p' "$pages/kneepoint-formats.7" | sort >"$BATS_TEST_TMPDIR/drawn"
    { printf '%s\n' "$root"/micro/formats/*/format.c; awk 'NF && !/^#/ { print $1 }' "$root"/micro/*/*/formats.def; } |
        sed 's|/format\.c||; s|.*/||' | sort | diff - "$BATS_TEST_TMPDIR/drawn"
    awk '/^\.Ss / { if (name && !drawn) { print name " has no drawing"; bad = 1 } name = $2; drawn = 0 }
         /^\.Bd -literal$/ { drawn = 1 }
         END { exit bad || !name || !drawn }' "$pages/kneepoint-formats.7"
    "$KNEEPOINT" help formats | grep -q 'step, 64 bytes = \[m16\]\[k4\] bytes of four 2-bit fields'
    # a format whose comment draws nothing would be seen
    mkdir -p "$BATS_TEST_TMPDIR/bare"
    printf '/* SPDX\n *\n * Nothing drawn.\n */\n' >"$BATS_TEST_TMPDIR/bare/format.c"
    run awk -f "$root/man/formats.awk" "$BATS_TEST_TMPDIR/bare/format.c"
    [ "$output" = $'.Ss bare\nNothing drawn.' ]
    # macros of a row are what it says they are
    printf '/* SPDX\n *\n * Of ROWS rows.\n */\n' >"$BATS_TEST_TMPDIR/rows.c"
    run awk -f "$root/man/formats.awk" "some/bare/format.c|$BATS_TEST_TMPDIR/rows.c|formats.def|-DROWS=8"
    [ "$output" = $'.Ss bare\nOf 8 rows.' ]
}
