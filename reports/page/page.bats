#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The page in a browser without a screen and without a network. The binary is named by KNEEPOINT.
#
# alone: a browser takes what memory and time there is.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint}
    fixture=$BATS_TEST_DIRNAME/../fixtures/run
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "not on this machine: no chromium"
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    cd "$BATS_TEST_TMPDIR"
}

# browse PAGE WIDTH: the page with page_probe.js appended; its document into dom, what the browser logged into log.
browse() {
    { cat "$1"; echo '<script>'; cat "$BATS_TEST_DIRNAME/fixtures/page_probe.js"; echo '</script>'; } > probed.html
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$BATS_TEST_TMPDIR/profile" --window-size="$2,900" \
        --enable-logging=stderr --virtual-time-budget=4000 --dump-dom "file://$PWD/probed.html" > dom 2> log
    grep -o '^<html[^>]*>' dom > root || { cat log; return 1; }
}

# seen NAME: what the probe left under data-NAME.
seen() {
    sed -n "s/.* data-$1=\"\([^\"]*\)\".*/\1/p" root
}

no_console_error() {
    if grep ':CONSOLE' log; then false; fi
}

tables_sort_and_filter() {
    [ "$(seen tables)" -gt 0 ]
    [ "$(seen tables-sortable)" -eq "$(seen tables)" ]
    [ "$(seen tables-filtered)" -eq "$(seen tables)" ]
    [ "$(seen focused)" = true ]
    [ "$(seen ascending)" = true ]
    [ "$(seen descending)" = true ]
    [ "$(seen changed)" = true ]
    [ "$(seen aria-sort)" = descending ]
    [ "$(seen rows-filtered)" -gt 0 ]
    [ "$(seen rows-filtered)" -lt "$(seen rows)" ]
    [ "$(seen count)" = "$(seen rows-filtered) of $(seen rows) rows" ]
    [ "$(seen rows-none)" -eq 0 ]
    [ "$(seen rows-again)" -eq "$(seen rows)" ]
}

@test "the report: no console error, every drawn figure visible, tables sort and filter" {
    "$kneepoint" report "$fixture" -o out
    browse out/index.html 1280
    cat root
    no_console_error
    [ "$(seen pictures)" -gt 0 ]
    [ "$(seen pictures)" -eq "$(grep -c '<svg' out/index.html)" ]
    [ "$(seen pictures-visible)" -eq "$(seen pictures)" ]
    [ "$(seen values)" -eq "$(cat out/*.svg | grep -c '<g class="value"><title>')" ]
    [ "$(seen values)" -gt 100 ]
    [ "$(seen values-met)" -eq "$(seen values)" ]
    [ "$(seen picture-titles)" -eq 0 ]
    [ "$(seen pointed)" = true ]
    tables_sort_and_filter
}

@test "the report on a phone: nothing is wider than the page" {
    "$kneepoint" report "$fixture" -o out
    browse out/index.html 390
    cat root
    [ "$(seen width)" -lt 600 ]
    [ "$(seen overflow)" -le 0 ]
    [ "$(seen pictures-visible)" -eq "$(seen pictures)" ]
}

@test "runs side by side: tables sort and filter, and fit a phone" {
    "$kneepoint" report "$fixture" "$fixture" -o out
    browse out/index.html 390
    cat root
    no_console_error
    [ "$(seen tables)" -eq 3 ]
    [ "$(seen overflow)" -le 0 ]
    tables_sort_and_filter
}

@test "a script that fails is seen" {
    "$kneepoint" report "$fixture" -o out
    sed -i '0,/^"use strict";/s//throw new Error("bees");/' out/index.html
    browse out/index.html 1280
    run no_console_error
    [ "$status" -ne 0 ]
    [[ "$output" == *bees* ]]
}
