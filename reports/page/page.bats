#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The page in a browser without a screen and without a network. The binary is named by KNEEPOINT.

# The report of the fixture, once for the tests that look at it.
setup_file() {
    ! command -v gnuplot >/dev/null ||
        "${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}" report "$BATS_TEST_DIRNAME/../fixtures/run" -o "$BATS_FILE_TMPDIR/out"
}

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    fixture=$BATS_TEST_DIRNAME/../fixtures/run
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "not on this machine: no chromium"
    command -v gnuplot >/dev/null || skip "not on this machine: no gnuplot"
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR/out" .
}

# browse PAGE WIDTH [HEIGHT [SCHEME]]: the page with page_probe.js appended; its document into dom, what the browser logged into log.
# SCHEME: 0 dark, 1 light.
browse() {
    { cat "$1"; echo '<script>'; cat "$BATS_TEST_DIRNAME/fixtures/page_probe.js"; echo '</script>'; } > probed.html
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$BATS_TEST_TMPDIR/profile" --window-size="$2,${3:-900}" --blink-settings="preferredColorScheme=${4:-1}" \
        --enable-logging=stderr --virtual-time-budget=4000 --dump-dom "file://$PWD/probed.html" > dom 2> log
    grep -o '^<html[^>]*>' dom > root || { cat log; return 1; }
}

# browse_report SCHEME: the report at 1280 x 800, once for the tests that look at it.
browse_report() {
    local kept=$BATS_FILE_TMPDIR/browsed-$1
    if [ -d "$kept" ]; then
        cp "$kept"/* .
    else
        browse out/index.html 1280 800 "$1"
        mkdir "$kept" && cp root log "$kept"
    fi
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

# The page as PDF, with as many pages and bytes as it may have.
to_paper() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$BATS_TEST_TMPDIR/profile" --no-pdf-header-footer \
        --print-to-pdf=page.pdf "file://$PWD/out/index.html" 2> log
    pages=$(grep -ao '/Type /Page\b' page.pdf | wc -l)
    [ "$pages" -le 12 ]
    [ "$(stat -c %s page.pdf)" -le 3000000 ]
}

# What every page must keep to, at any width and in both themes.
reads_well() {
    no_console_error
    [ "$(seen overflow)" -le 0 ]
    [ "$(seen headings-in-order)" = true ]
    [ "$(seen captioned)" = true ]
    [ "$(seen named)" = true ]
    [ "$(seen sentences)" -gt 20 ]
    [ "$(seen numbers-most)" -le 3 ]
    awk "BEGIN { exit !($(seen contrast-least) >= 4.5) }"
}

@test "the report at 1280 x 800: a first screen, folds, figures, tables that sort, filter and are copied" {
    browse_report 1
    cat root
    reads_well
    [ "$(seen dark)" = false ]
    [ "$(seen hero-top)" -gt 0 ]
    [ "$(seen hero-bottom)" -le 800 ]
    [ "$(seen validity-bottom)" -le 800 ]
    [ "$(seen open-at-first)" -eq 0 ]
    [ "$(seen unfolds)" = true ]
    [ "$(seen pictures)" -gt 0 ]
    [ "$(seen pictures)" -eq "$(grep -c '<svg' out/index.html)" ]
    [ "$(seen pictures-visible)" -eq "$(seen pictures)" ]
    [ "$(seen values)" -eq "$(cat out/*.svg | grep -c '<g class="value"><title>')" ] # of the compact pictures of the page all
    [ "$(seen values)" -gt 100 ]
    [ "$(seen values-met)" -eq "$(seen values)" ]
    [ "$(seen picture-titles)" -eq 0 ]
    [ "$(seen pointed)" = true ]
    [ "$(seen recommended-rows)" -ge 7 ]
    [ "$(seen markdown-lines)" -eq "$(($(seen recommended-rows) + 2))" ]
    [ "$(seen markdown-rule)" = true ]
    [ "$(seen csv-lines)" -eq "$(($(seen recommended-rows) + 1))" ]
    [[ "$(seen csv-head)" == *"of the roof low,of the roof high"* ]]
    tables_sort_and_filter
}

@test "the report on a phone, in the dark: nothing is wider than the page, and the picture is on the first screen" {
    browse out/index.html 390 844 0
    cat root
    reads_well
    [ "$(seen dark)" = true ]
    [ "$(seen width)" -lt 600 ]
    [ "$(seen hero-top)" -lt 500 ]
    [ "$(seen hero-bottom)" -le 900 ]
    [ "$(seen hero-width)" -le "$(seen width)" ]
    [ "$(seen pictures-visible)" -eq "$(seen pictures)" ]
}

@test "a picture is saved as SVG, PNG and PDF: ink on white, also in the dark and without a network" {
    for scheme in 0 1; do
        browse_report $scheme
        cat root
        no_console_error
        [ "$(seen saved-figures)" -eq "$(seen pictures)" ]
        size=$(seen svg-root)
        size=${size#svg }
        [[ "$size" =~ ^[0-9]{3,4}x[0-9]{3,4}$ ]]
        [ "$(seen svg-ground)" = "#ffffff none" ]
        [ "$(seen svg-texts)" -gt 5 ]
        [ "$(seen svg-uninked)" -eq 0 ]
        [ "$(seen filesvg)" = hero.svg ]
        [ "$(seen png-size)" = "$((2 * ${size%x*}))x$((2 * ${size#*x}))" ]
        [ "$(seen png-colours)" -gt 10 ]
        [ "$(seen filepng)" = hero.png ]
        [ "$(seen pdf-sheet)" = "hero $size" ]
        [[ "$(seen pdf-page)" == *"size: ${size%x*}px ${size#*x}px;"* ]]
        [ "$(seen pdf-left)" -eq 0 ]
    done
}

@test "the command below a picture draws it" {
    [ "$(grep -c '<code>kneepoint figure [a-z0-9_]* --run=.*</code> draws it' out/index.html)" -eq "$(grep -c '<figure' out/index.html)" ]
    command=$(sed -n 's/.*<code>\(kneepoint figure knee --run=[^<]*\)<.*/\1/p' out/index.html)
    "$kneepoint" ${command#kneepoint} --column --image=pdf -o drawn
    [ "$(head -c 4 drawn/knee.pdf)" = %PDF ]
}

@test "on paper a picture that is saved stands alone" {
    cp out/index.html whole.html
    echo '<script>print = () => {}; document.querySelector("#figure-hero button[aria-label$=PDF]").click();</script>' >> out/index.html
    to_paper
    [ "$pages" -eq 1 ]
    grep -aq "/MediaBox \[0 0 $(sed -n '/id="figure-hero"/,$s/.*viewBox="0 0 \([0-9]*\) .*/\1/p' whole.html | head -1 | awk '{ print 0.75 * $1 }') " page.pdf
}

@test "the report on paper: 12 pages and 3 MB at most, and what unfolds is there" {
    [ "$(stat -c %s out/index.html)" -le 2000000 ]
    to_paper
    [ "$pages" -ge 4 ] # folded away it would be fewer
}

@test "the report of a default run with every kernel there is: 2 MB, and 12 pages and 3 MB on paper" {
    mkdir run
    cp "$fixture/meta.json" run
    for what in kernels sequences; do "$kneepoint" list "$what" --csv; done | awk -f "$BATS_TEST_DIRNAME/fixtures/everything.awk" > run/records.jsonl
    [ "$(grep -c '"type":"gamma"' run/records.jsonl)" -gt 100 ]
    [ "$(grep -c '"type":"gemv"' run/records.jsonl)" -gt 100 ]
    rm -r out
    "$kneepoint" report run -o out
    if grep 'of records.jsonl are wrong' out/index.html; then false; fi
    [ "$(grep -c '<figure' out/index.html)" -gt 15 ]
    [ "$(stat -c %s out/index.html)" -le 2000000 ]
    to_paper
}

@test "runs side by side: tables sort and filter, and fit a phone" {
    rm -r out
    "$kneepoint" report "$fixture" "$fixture" -o out
    browse out/index.html 390
    cat root
    no_console_error
    [ "$(seen tables)" -eq 3 ]
    [ "$(seen overflow)" -le 0 ]
    tables_sort_and_filter
}

@test "a script that fails is seen" {
    sed -i '0,/^"use strict";/s//throw new Error("bees");/' out/index.html
    browse out/index.html 1280
    run no_console_error
    [ "$status" -ne 0 ]
    [[ "$output" == *bees* ]]
}
