#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# kneepoint report and kneepoint figure on saved runs, of one and of several side by side. The binary is named by KNEEPOINT.

bats_require_minimum_version 1.5.0 # run --separate-stderr

load reporting

# A PATH on which gnuplot is the given script.
fake_gnuplot() {
    mkdir -p fake
    printf '#!/bin/sh\n%s\n' "$1" > fake/gnuplot
    chmod +x fake/gnuplot
}

@test "report of the newest run goes beside it and prints its path" {
    mkdir -p results/machine/20250101T000000Z # where runs were before
    cp "$fixture"/* results/machine/20250101T000000Z
    run "$kneepoint" report
    [ "$status" -eq 0 ]
    [ "$output" = "$run_folder/report/index.html" ]
    for figure in knee knee_validation gemv where_time_goes latency thread_scaling roofline gamma envelope_4 envelope_5_7 envelope_12_14; do
        for suffix in svg dat gp txt; do
            [ -s "$run_folder/report/$figure.$suffix" ]
        done
    done
    [ "$(grep -c '<svg' "$output")" -eq "$(ls "$run_folder"/report/*.svg | wc -l)" ]
    # under each picture what its .txt says of machine and run
    [ "$(grep -o '<span class="cited">Measured: ' "$output" | wc -l)" -eq "$(ls "$run_folder"/report/*.svg | wc -l)" ]
    grep -qF "$(sed -n 's/^Measured: //p' "$run_folder/report/hero.txt" | cut -d';' -f2-3)" "$output"
    grep -q "Synthetic run" "$output"
    [ -z "$(find "$run_folder/report" -name '.*' -type f)" ]
    [ ! -e results/machine/20250101T000000Z/report ]
}

@test "report --json is one object with the path" {
    run "$kneepoint" report "$run_folder" --json -o out
    [ "$status" -eq 0 ]
    [ "$output" = "{\"type\":\"report\",\"name\":\"index.html\",\"run\":\"$run_folder\",\"path\":\"out/index.html\"}" ]
}

@test "a run whose records gzip packed is drawn as it was, by its folder and by its records" {
    "$kneepoint" figure knee --run "$run_folder" -o open
    gzip -n "$run_folder/records.jsonl"
    "$kneepoint" figure knee --run "$run_folder" -o packed
    cmp open/knee.dat packed/knee.dat
    [ "$("$kneepoint" report "$run_folder/records.jsonl.gz")" = "$run_folder/report/index.html" ]
}

@test "rendering twice gives the same files" {
    "$kneepoint" report "$run_folder" -o a
    "$kneepoint" report "$run_folder" -o b
    diff -r a b
}

# As of a core that takes a cycle an instruction.
@test "gammas that are all the same power of two are drawn" {
    cp -r "$run_folder" flat
    jq -c 'if .type == "gamma" and .gamma.median then .gamma += {median: 8, min: 8, mad: 0, ci95: [8, 8]} | .latency_gamma = null else . end' \
        "$run_folder/records.jsonl" >flat/records.jsonl
    run "$kneepoint" figure gamma --run flat -o out
    echo "$output"
    [ "$status" -eq 0 ]
    grep -q '^y_low = 8$' out/gamma.gp
    grep -q '^y_high = 16$' out/gamma.gp
    [ -s out/gamma.svg ]
}

@test "a figure is drawn again by hand, from its script and data alone" {
    "$kneepoint" figure knee --run "$run_folder" -o out
    "$kneepoint" figure knee --run "$run_folder" --image png -o out
    grep -q "^subtitle = 'SYNTHETIC, not measured " out/knee.gp
    mkdir hand && cp out/knee.gp out/knee.dat hand
    (cd hand && gnuplot knee.gp && gnuplot -e "format='png'" knee.gp)
    cmp out/knee.png hand/knee.png
    same='/<title>/d; /<use /d; /_plot_/d'
    diff <(sed "$same" out/knee.svg) <(sed "$same" hand/knee.svg)
}

# The values of a picture that show on hover, a line each.
titles() {
    sed -n 's/.*<g class="value"><title>\([^<]*\)<.*/\1/p' "$1"
}

# Lines of a data file that are of points.
points() {
    grep -cE '^[0-9.-]+ [0-9]' "$1"
}

@test "every measured point has its value as a title in the picture" {
    "$kneepoint" report "$run_folder" -o out
    [ "$(titles out/gemv.svg | wc -l)" -eq "$(points out/gemv.dat)" ]
    [ "$(titles out/gamma.svg | wc -l)" -eq "$(points out/gamma.dat)" ]
    [ "$(titles out/knee_validation.svg | wc -l)" -eq "$(($(points out/knee_validation.dat) + 2))" ] # in the lower row, and the first of each panel above
    [ "$(titles out/gamma_bars.svg | grep -c '\]')" -eq "$(points out/gamma_bars.dat)" ]
    [ "$(titles out/roofline.svg | grep -cE '^[a-z0-9_]+\.')" -eq "$(grep -c '"[0-9]*x[0-9]*"' out/roofline.dat)" ]
    while read -r _ _ _ _ _ rate _ _ shape kernel; do
        titles out/gemv.svg | grep -F "${kernel//\"/}, ${shape//\"/}, " | grep -qF ", $(printf %.2f "$rate") GB/s"
    done < <(grep -E '^[0-9]' out/gemv.dat | head -n 20)
    while read -r accumulators gamma _ _ _ _ _ name; do
        titles out/gamma.svg | grep -F "${name//\"/} ×$accumulators: " | grep -qF "γ $(printf %.3f "$gamma") ["
    done < <(grep -E '^[0-9]' out/gamma.dat | head -n 20)
    for figure in knee where_time_goes latency thread_scaling envelope_4 envelope_5_7 envelope_12_14; do
        titles out/$figure.svg | grep -q '[0-9]'
    done
    [ "$(cat out/*.svg | grep -c 'onmouse\|_plot_[0-9]*</title>')" -eq 0 ]
}

@test "every figure in every format" {
    figures="knee knee_validation gemv where_time_goes latency thread_scaling roofline gamma envelope_4 envelope_5_7 envelope_12_14"
    for format in svg png pdf; do
        run "$kneepoint" figure $figures --image $format --run "$run_folder" -o out
        [ "$status" -eq 0 ]
        [ "$output" = "$(printf "out/%s.$format\n" $figures)" ]
    done
    for figure in $figures; do
        [ "$(head -c 4 out/$figure.png | tail -c 3)" = PNG ]
        [ "$(head -c 4 out/$figure.pdf)" = %PDF ]
    done
}

@test "every figure has a form for a column of a paper: 3.5 inches wide, without its heading" {
    figures="knee knee_validation gemv where_time_goes latency thread_scaling roofline gamma gamma_bars envelope_4 envelope_5_7 envelope_12_14"
    run "$kneepoint" figure $figures --column --run "$run_folder" -o out
    [ "$status" -eq 0 ]
    for figure in $figures; do
        grep -q 'viewBox="0 0 500 [0-9]*"' out/$figure.svg
        [ "$(grep -c "$(sed -n 1p out/$figure.txt | cut -c1-24)" out/$figure.svg)" -eq 0 ]
    done
    "$kneepoint" figure knee --column --image pdf --run "$run_folder" -o out
    grep -aq 'MediaBox \[ 0 0 252 ' out/knee.pdf # points
}

@test "figure: several machines in one picture, and only where a figure is of several" {
    for figure in machines_knee machines_rates; do
        run "$kneepoint" figure $figure --run "$run_folder" --run "$fixture" -o out
        echo "$output"
        [ "$status" -eq 0 ]
        grep -q '>B  Synthetic Golden Cove' out/$figure.svg
        grep -qF '2 runs' out/$figure.svg
        "$kneepoint" figure $figure --column --run "$run_folder" --run "$fixture" -o column
    done
    run "$kneepoint" figure knee --run "$run_folder" --run "$fixture" -o out
    [ "$status" -eq 2 ]
    one_line_error "knee shows one run"
    run "$kneepoint" figure machines_knee --run "$run_folder" --run no-such-run -o out
    [ "$status" -eq 2 ]
    one_line_error "no-such-run"
    "$kneepoint" report "$run_folder" "$fixture" -o both
    [ "$(grep -c '<figure id="figure-machines_' both/index.html)" -eq 2 ]
    grep -qF "<code>kneepoint figure machines_knee --run=$run_folder --run=$fixture</code> draws it" both/index.html
    "$kneepoint" report "$run_folder" -o alone
    [ ! -e alone/machines_knee.svg ]
}

@test "unknown figure lists those there are" {
    run "$kneepoint" figure bees --run "$run_folder"
    [ "$status" -eq 2 ]
    one_line_error "unknown figure 'bees'; there are hero, knee, machines_knee, machines_rates, knee_validation, latency, gemv, where_time_goes, gemm_knee, thread_scaling, pool, roofline, gamma"
    run "$kneepoint" figure gemw; [[ $status -eq 2 && $output == *"; did you mean 'gemv'?" ]]
    run "$kneepoint" figure
    [ "$status" -eq 2 ]
    one_line_error "hero, knee, machines_knee, machines_rates, knee_validation, latency, gemv, where_time_goes, gemm_knee, thread_scaling, pool, roofline, gamma"
}

@test "described machines are drawn without a run, and say so" {
    run "$kneepoint" figure envelope_4 --results empty --platform lnl,arl
    [ "$status" -eq 0 ]
    [ "$output" = figures/envelope_4.svg ]
    grep -q "^Measured: described machines only" figures/envelope_4.txt
    grep -q "^Modelled: .*(lnl)" figures/envelope_4.txt
    grep -q '"lnl P 3.18"' figures/envelope_4.dat
    if grep -q arlh figures/envelope_4.dat; then false; fi
    (cd figures && gnuplot envelope_4.gp)
}

@test "unknown platform lists those there are, and a run alone takes none" {
    run "$kneepoint" figure envelope_4 --platform arl,abacus
    [ "$status" -eq 2 ]
    one_line_error abacus
    [[ $output == *arlh* ]]
    run "$kneepoint" figure knee --run "$run_folder" --platform arl
    [ "$status" -eq 2 ]
    one_line_error "knee shows a run alone"
    run "$kneepoint" figure envelope_4 --results empty --platform a100
    [ "$status" -eq 2 ]
    one_line_error "give --platform with gammas"
}

@test "a run without the records names them and the command" {
    grep -v '"type":"gemv"' "$run_folder/records.jsonl" > less
    mv less "$run_folder/records.jsonl"
    run "$kneepoint" figure thread_scaling --run "$run_folder"
    [ "$status" -eq 2 ]
    one_line_error 'no '"'gemv'"' records (`kneepoint gemv --into='"$run_folder"'` measures them)'
}

@test "unknown type of image" {
    run "$kneepoint" figure knee --image gif --run "$run_folder"
    [ "$status" -eq 2 ]
    one_line_error "--image takes svg, png, pdf or tex, not 'gif'"
}

@test "--format of an image still works, and says its new name in one line" {
    run --separate-stderr "$kneepoint" figure knee --format png --run "$run_folder" -o out
    [ "$status" -eq 0 ]
    [ "$output" = out/knee.png ] && [ -s out/knee.png ]
    [ "$stderr" = "kneepoint figure: --format=png is now --image=png; the next version does not take --format" ]
}

@test "a run that is not there" {
    run "$kneepoint" report nowhere
    [ "$status" -eq 2 ]
    one_line_error nowhere
    [ ! -e nowhere ]
    run "$kneepoint" report --results empty
    [ "$status" -eq 2 ]
    one_line_error "kneepoint characterize"
    run "$kneepoint" figure knee --results empty
    [ "$status" -eq 2 ]
    one_line_error "no run below empty"
}

@test "a foreign file is refused and nothing is written" {
    mkdir foreign
    echo '{"name": "some package"}' > foreign/meta.json
    echo 'a,b,c' > foreign/records.jsonl
    for command in "report foreign" "figure knee --run foreign" "report foreign/records.jsonl"; do
        run "$kneepoint" $command -o out
        [ "$status" -eq 2 ]
        one_line_error foreign
        [ ! -e out ]
    done
}

@test "a truncated file is rendered and the page says so" {
    head -c -20 "$fixture/records.jsonl" > "$run_folder/records.jsonl"
    run "$kneepoint" report
    [ "$status" -eq 0 ]
    grep -q "was cut off" "$run_folder/report/index.html"
}

@test "damage to the records is one line on standard error, in the words of compare" {
    head -c -20 "$fixture/records.jsonl" > "$run_folder/records.jsonl"
    cut_off="kneepoint COMMAND: $run_folder: the last line was cut off and is left out"
    "$kneepoint" report "$run_folder" -o out >path 2>err
    [ "$(cat err)" = "${cut_off/COMMAND/report}" ]
    "$kneepoint" figure knee --run "$run_folder" -o out >path 2>err
    [ "$(cat err)" = "${cut_off/COMMAND/figure}" ]
    cp -r "$fixture" whole
    "$kneepoint" report whole "$run_folder" -o beside >path 2>err
    [ "$(cat err)" = "${cut_off/COMMAND/report}" ]
    sed '50s/.*/{"type":"gamma", broken/' "$fixture/records.jsonl" > "$run_folder/records.jsonl"
    "$kneepoint" report "$run_folder" -o out >path 2>err
    [ "$(cat err)" = "kneepoint report: $run_folder: 1 damaged line is left out" ]
    : > "$run_folder/records.jsonl"
    "$kneepoint" report "$run_folder" -o out >path 2>err
    [ "$(cat err)" = "kneepoint report: $run_folder: it holds no record" ]
    "$kneepoint" report whole -o out >path 2>err
    [ ! -s err ]
}

@test "figure -o takes a folder, and says so of the name of a picture" {
    for name in k.svg new/k.png k.pdf; do
        run "$kneepoint" figure knee --run "$run_folder" -o "$name"
        [ "$status" -eq 2 ]
        one_line_error "'$name' would be a folder: --output takes the folder in which knee.svg is drawn"
        [ ! -e "$name" ]
    done
    mkdir k.svg
    "$kneepoint" figure knee --run "$run_folder" -o k.svg
    [ -s k.svg/knee.svg ]
}

@test "a corrupt line in the middle is named, and the rest is used" {
    sed -i '50s/.*/{"type":"gamma", broken/' "$run_folder/records.jsonl"
    run "$kneepoint" report
    [ "$status" -eq 0 ]
    grep -q "1 line of records.jsonl is wrong and left out; the first is line 50" "$run_folder/report/index.html"
    run "$kneepoint" figure knee --run "$run_folder" -o out
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 2 ]
    [[ "$output" == *"line 50 of records.jsonl is wrong ("*"); the rest is drawn"* ]]
    [ -s out/knee.svg ]
}

@test "a platform file with a wrong number or unit is refused by the path of the field" {
    machine() {
        echo '{"kneepoint_platform":1,"name":"m","read_bandwidth":{"value":12,"unit":"'"$2"'"},"kinds":[{"kind":"P","cores":2,"clock":{"value":'"$1"',"unit":"GHz"}}]}'
    }
    for command in "figure envelope_4 --results empty -o out --platform" "predict --platform"; do
        machine -3 GB/s > m.json
        run "$kneepoint" $command m.json
        [ "$status" -eq 2 ]
        one_line_error "m.json: kinds[0].clock"
        machine 3 furlongs > m.json
        run "$kneepoint" $command m.json
        [ "$status" -eq 2 ]
        one_line_error "m.json: read_bandwidth.unit"
        [[ "$output" == *furlongs* ]]
    done
    [ ! -e out ]
}

@test "a run that holds the type but not what a figure draws says what to measure" {
    run "$kneepoint" figure c2 --run "$run_folder" -o out
    [ "$status" -eq 2 ]
    one_line_error 'holds no multiply-add and look-ups of bitnet.cpp; `kneepoint gamma c2 --json >FILE` measures it'
    run "$kneepoint" figure register_length --run "$run_folder" -o out
    [ "$status" -eq 2 ]
    one_line_error '`kneepoint gamma elut --json >FILE` measures it'
}

@test "gamma alone: what is missing is named, with its command" {
    part_of_run part '"type":"gamma"'
    run "$kneepoint" report part
    [ "$status" -eq 0 ]
    grep -q "<code>kneepoint beta --into=part</code> measures it" part/report/index.html
    grep -q "<code>kneepoint knee --into=part</code> measures it" part/report/index.html
    [ -s part/report/gamma.svg ]
    [ ! -e part/report/knee_validation.svg ]
    [ ! -e part/report/knee.svg ]
    run "$kneepoint" figure knee --run part -o out
    [ "$status" -eq 2 ]
    one_line_error "no 'beta' records (\`kneepoint beta --into="
    run "$kneepoint" figure knee_validation --run part -o out
    [ "$status" -eq 2 ]
    one_line_error "no 'knee' records (\`kneepoint knee --into="
    [ ! -e out ]
}

@test "without gnuplot the page is written, without figures, and the exit code is 2" {
    mkdir nothing
    PATH="$BATS_TEST_TMPDIR/nothing" run "$kneepoint" report "$run_folder" -o out
    [ "$status" -eq 2 ]
    [[ "$output" == *"install gnuplot-nox"* ]]
    [[ "$output" == *"out/index.html"* ]]
    grep -q "install gnuplot-nox" out/index.html
    [ "$(grep -c '<svg' out/index.html || true)" -eq 0 ]
    [ -s out/knee.dat ]
    PATH="$BATS_TEST_TMPDIR/nothing" run "$kneepoint" figure knee --run "$run_folder" -o out
    [ "$status" -eq 2 ]
    one_line_error "install gnuplot-nox"
    PATH="$BATS_TEST_TMPDIR/nothing" run "$kneepoint" report "$run_folder" "$run_folder" -o both
    [ "$status" -eq 2 ]
    [[ "$output" == *"install gnuplot-nox"*"; the report is written without it"* ]]
    [[ "$output" == *"both/index.html"* ]]
    grep -q "install gnuplot-nox" both/index.html
}

@test "a gnuplot that is too old is refused with the remedy, and the page is written without figures" {
    fake_gnuplot '[ "$1" = --version ] && echo "gnuplot 5.2 patchlevel 8" || touch drawn'
    export PATH="$BATS_TEST_TMPDIR/fake:$PATH"
    run "$kneepoint" figure knee --run "$run_folder" -o out
    [ "$status" -eq 2 ]
    one_line_error "gnuplot 5.2 is too old, the figures need 5.4 or later; install gnuplot-nox"
    [ ! -e out/knee.svg ]
    run "$kneepoint" report "$run_folder" -o page
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 2 ]
    [[ "$output" == *"page/index.html"* && "$output" == *"too old"* ]]
    [ "$(grep -c '<svg' page/index.html || true)" -eq 0 ]
    [ -z "$(find . -name drawn)" ]
}

@test "a newer gnuplot, or one that does not say its version, is asked to draw" {
    for version in "gnuplot 6.0 patchlevel 1" "gnuplot 5.10 patchlevel 0" "none of your business"; do
        fake_gnuplot '[ "$1" = --version ] && echo "'"$version"'" || { echo "line 3: bees" >&2; exit 1; }'
        PATH="$BATS_TEST_TMPDIR/fake:$PATH" run "$kneepoint" figure knee --run "$run_folder" -o out
        [ "$status" -eq 2 ]
        one_line_error "line 3: bees"
    done
}

@test "a gnuplot that fails is quoted, and leaves no picture" {
    fake_gnuplot 'echo partial > .knee.$PPID.svg; echo "\"knee.gp\" line 3: undefined variable: bees" >&2; exit 1'
    PATH="$BATS_TEST_TMPDIR/fake:$PATH" run "$kneepoint" figure knee --run "$run_folder" -o out
    [ "$status" -eq 2 ]
    one_line_error "line 3: undefined variable: bees"
    [ "$(ls -A out)" = "knee.dat
knee.gp
knee.txt" ]
}

@test "a gnuplot that writes nothing is an error" {
    fake_gnuplot 'exit 0'
    PATH="$BATS_TEST_TMPDIR/fake:$PATH" run "$kneepoint" figure knee --run "$run_folder" -o out
    [ "$status" -eq 2 ]
    one_line_error "out/knee.svg"
}

@test "unwritable output folder" {
    echo file > taken
    run "$kneepoint" report "$run_folder" -o taken
    [ "$status" -eq 2 ]
    one_line_error "cannot write to taken"
    run "$kneepoint" report "$run_folder" -o taken/below
    [ "$status" -eq 2 ]
    one_line_error "--output"
    run "$kneepoint" figure knee --run "$run_folder" -o /proc/kneepoint
    [ "$status" -eq 2 ]
    one_line_error /proc/kneepoint
}

@test "names of a hostile file do not run, in gnuplot or in the page" {
    sed -i "s/Synthetic Golden Cove (server)/'; system('touch hacked'); \`touch hacked\` <script>alert(1)<\/script>/" "$run_folder/meta.json" \
        "$run_folder/records.jsonl"
    sed -i "s/falcon3-1b/'.system('touch hacked').'<b>/g" "$run_folder/records.jsonl"
    run "$kneepoint" report -o out
    [ "$status" -eq 0 ]
    [ -z "$(find . -name hacked)" ]
    [ "$(grep -c '<svg' out/index.html)" -eq "$(ls out/*.svg | wc -l)" ]
    [ "$(grep -c '<script>' out/index.html)" -eq 1 ]
    [ "$(grep -c "<b>" out/index.html || true)" -eq 0 ]
}

@test "help names the options" {
    run "$kneepoint" report --help
    [ "$status" -eq 0 ]
    [[ "$output" == *--results* && "$output" == *--output* && "$output" == *--json* ]]
    run "$kneepoint" figure --help
    [ "$status" -eq 0 ]
    [[ "$output" == *--image* && "$output" != *--format* && "$output" == *--run* ]]
}

@test "a run cut off before its first GEMV has a report, with every figure that it has data for" {
    part_of_run cut '"type":"(machine|clock|beta|gamma|end)"'
    run "$kneepoint" report cut
    echo "$output"
    [ "$status" -eq 0 ]
    [ -s cut/report/knee.svg ]
}

@test "report: a control character in a name moves no cursor, and ends no line of Markdown" {
    cp -r "$BATS_TEST_DIRNAME/../../reports/fixtures/run" crafted
    sed -i '1,40s/"name":"gemv\//"name":"gemv\\u001b[2J\\n\\u009b/' crafted/records.jsonl
    grep -q 'u001b' crafted/records.jsonl
    for format in text markdown junit csv; do
        "$kneepoint" compare --output-format=$format crafted crafted >out.$format 2>&1 || true
        ! LC_ALL=C grep -qP '\x1b|\xc2\x9b' out.$format || { cat -v out.$format; false; }
    done
    run "$kneepoint" report "$(printf 'no\033[2Jrun')"
    [ "$status" -ne 0 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *'no\x1b[2Jrun'* ]]
}

@test "report: medians of 1e308 are damaged lines, and every figure is drawn" {
    cp -r "$BATS_TEST_DIRNAME/../../reports/fixtures/run" crafted
    sed -i '/"type":"gemv"/{x;s/^/x/;/^xxx$/{s/.*//;x;s/"median":[0-9.e-]*/"median":1e308/;b};x}' crafted/records.jsonl
    grep -q 1e308 crafted/records.jsonl
    run "$kneepoint" report crafted -o out
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"damaged line"* ]]
    if grep -liE '(^|[ ,])-?inf' out/*.dat out/*.gp; then false; fi
}

# Names that another's file may have. They hold what ends a string, a field or a line, runs a command, is a number, or is
# markup to gnuplot, XML and HTML.
hostile_names() {
    cat <<'NAMES'

 nan
-12e3
0x10
?
#
a b
'.system(\"touch hacked\").'
\"quoted\"
back\\slash\\
`touch hacked`
@hover
{/Bold x}^2_3
%s%n%d%%
$1
tab\tline\nreturn\r
a,b;c|d
<b>&amp;</b>]]>
é×β
\ufeff\u2028\ufffe
x//x/../..
NAMES
    printf 'x%.0s' {1..2000}
    printf '\n'
}

# draws_all RUN: every figure is drawn of that run or says in one line why not, and none fails in gnuplot.
draws_all() {
    local figures drawn
    figures=$("$kneepoint" list figures | sed '1d; s/ .*//')
    rm -rf out
    status=0
    "$kneepoint" figure $figures --run "$1" -o out >said 2>failed || status=$?
    if [ "$status" -gt 2 ] || grep gnuplot failed; then echo "exit $status"; return 1; fi
    drawn=$(wc -l <said)
    [ "$((drawn + $(wc -l <failed)))" -eq "$(wc -w <<<"$figures")" ]
    [ "$drawn" -ge "${2:-10}" ] || { echo "$drawn figures"; return 1; }
    if command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom as m
for path in sys.argv[1:]: print(path); m.parse(path)' out/*.svg >parsed || { tail -n 1 parsed; return 1; }
        [ "$(wc -l <parsed)" -eq "$drawn" ]
    fi
    [ -z "$(find . -name hacked)" ]
}

@test "every figure draws whatever names there are" {
    # each record has another of the names, at the end of its own, so that figures find what they look for
    hostile_names | awk -v file="$fixture/records.jsonl" '
        { name[count++] = $0 }
        END {
            while ((getline line < file) > 0) {
                at = match(line, /"name":"[^"]*"/)
                if (at) line = substr(line, 1, at + RLENGTH - 2) name[lines++ % count] substr(line, at + RLENGTH - 1)
                print line
            }
        }' >"$run_folder/records.jsonl"
    grep -qF '@hover"' "$run_folder/records.jsonl"
    draws_all "$run_folder"
    # nothing but the name
    sed 's/"name":"[^"]*"/"name":"nan"/' "$fixture/records.jsonl" >"$run_folder/records.jsonl"
    draws_all "$run_folder" 5
}

@test "figure pool: one curve, that of the widest team, though a run has several" {
    mkdir pools
    cp "$fixture/meta.json" pools
    for threads in 1 2; do
        for times in 1 2 4; do
            printf '{"type":"pool","name":"t%d/x%d","threads":%d,"times":%d,"bytes":%d,"stated_bytes":1000000,"cold":true,' \
                $threads $times $threads $times $((times * 1000000))
            printf '"bytes_per_s":{"median":%de9,"min":1,"mad":0,"ci95":[1e9,9e10],"n":9,"rejected":0,"unit":"B/s","grade":"wall"}}\n' $((30 * threads))
        done
    done >pools/records.jsonl
    "$kneepoint" figure pool --run pools -o out
    [ "$(grep -c '^[0-9]' out/pool.dat)" -eq 3 ]
    [ "$(grep -c '^[0-9.]* 60 ' out/pool.dat)" -eq 3 ]
    grep -q '^threads = 2$' out/pool.gp
}

@test "runs side by side: values and ratios to the first" {
    mkdir a b
    echo '{"kneepoint":"0.1.0"}' | tee a/meta.json > b/meta.json
    gamma='"type":"gamma","isa":"avx2","accumulators":8,"bytes_per_vector":8'
    quantity='"min":1,"mad":0,"n":9,"rejected":0,"grade":"chain"'
    {
        echo "{$gamma,\"name\":\"int2.x.avx2\",\"usable\":true,\"gamma\":{\"median\":2.0,\"ci95\":[1.9,2.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"int4.x.avx2\",\"usable\":true,\"gamma\":{\"median\":4.0,\"ci95\":[3.9,4.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"alone.in.a\",\"usable\":true,\"gamma\":{\"median\":4.0,\"ci95\":[3.9,4.1],$quantity,\"unit\":\"cycles\"}}"
    } > a/records.jsonl
    {
        echo "{$gamma,\"name\":\"int2.x.avx2\",\"usable\":true,\"gamma\":{\"median\":1.0,\"ci95\":[0.9,1.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"int4.x.avx2\",\"usable\":false,\"gamma\":{\"median\":1.0,\"ci95\":[0.9,1.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"int4.x.avx2\",\"accumulators\":4,\"usable\":true,\"gamma\":{\"median\":4.2,\"ci95\":[4.05,4.3],$quantity,\"unit\":\"cycles\"}}" | sed 's/"accumulators":8,//'
    } > b/records.jsonl
    run "$kneepoint" report a b
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = a/report-beside/index.html ]
    grep -q '<td>int2.x.avx2</td><td>2.000</td><td>1.000</td><td>0.500</td>' "$output"
    grep -q '<td>int4.x.avx2</td><td>4.000</td><td>4.200</td><td data-v="1.05">≈ 1.050</td>' "$output"
    [ "$(grep -c alone.in.a "$output" || true)" -eq 0 ]
    grep -q '1 more were measured in A only' "$output"
    run "$kneepoint" report a b a --json -o out
    [ "$output" = '{"type":"report","name":"index.html","run":"a","path":"out/index.html"}' ]
    grep -q 'C/A' out/index.html
}

@test "runs that share nothing are incomparable, and nothing is written" {
    part_of_run gammas '"type":"gamma"'
    part_of_run betas '"type":"beta"'
    run "$kneepoint" report gammas betas -o out
    [ "$status" -eq 4 ]
    one_line_error "gammas has no read stream, sequence or GEMV cell in common"
    [ ! -e out ]
}

@test "a wrong run among several is named; so is one too many" {
    run "$kneepoint" report "$run_folder" nowhere -o out
    [ "$status" -eq 2 ]
    one_line_error nowhere
    [ ! -e out ]
    run "$kneepoint" report $(seq 1025)
    [ "$status" -eq 2 ]
    one_line_error "'1025' is one too many"
}

@test "names of a hostile file do not run in the page of several runs" {
    sed -i "s/Synthetic Golden Cove (server)/<script>alert(1)<\/script>/; s/\"name\":\"int2/\"name\":\"<b>int2/" "$run_folder/meta.json" \
        "$run_folder/records.jsonl"
    run "$kneepoint" report "$run_folder" "$run_folder" -o out
    [ "$status" -eq 0 ]
    [ "$(grep -c '<script>' out/index.html)" -eq 1 ]
    [ "$(grep -c '<b>' out/index.html || true)" -eq 0 ]
    grep -q '&lt;b&gt;int2' out/index.html
}
