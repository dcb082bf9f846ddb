#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Figures as PDF: their text lies on the page, each word clear of the others, in embedded fonts. Figures for LaTeX.

setup() {
    kneepoint=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    fixtures=$BATS_TEST_DIRNAME/../fixtures
    for program in gnuplot pdftotext pdffonts python3; do
        command -v $program >/dev/null || skip "not on this machine: no $program"
    done
    cd "$BATS_TEST_TMPDIR"
}

# draw RUN OPTION...: every figure that the run has records for into page.RUN, or column.RUN with --column
draw() {
    local run=$1 folder
    shift
    folder=$([ $# -gt 0 ] && echo column || echo page).$(basename "$run")
    "$kneepoint" figure $("$kneepoint" list figures | awk 'NR > 1 { print $1 }') --run "$run" "$@" --image=pdf --output "$folder" >drawn 2>error || true
    if grep -vE "holds no|neither the run|no form for a column" error; then return 1; fi
}

# words_collide PDF...: a line of each word that leaves the page or lies over another; 1 if there is one
words_collide() {
    python3 - "$@" <<'EOF'
import html, re, subprocess, sys

NUMBER = r'="(-?[\d.]+)"'
BOX = "".join(rf' {side}{NUMBER}' for side in ("xMin", "yMin", "xMax", "yMax"))


def letters(word, box):
    """Of a box, which is as high as the font, what a line of small letters covers. Upright words read from below."""
    left, top, right, bottom = box
    upright = len(word) > 1 and bottom - top > 1.3 * (right - left)
    across, along = (0.22 * (right - left), 0.05 * (bottom - top)), (0.05 * (right - left), 0.22 * (bottom - top))
    x, y = across if upright else along
    return left + x, top + y, right - x, bottom - y


def overlap(a, b):
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


wrong = 0
for path in sys.argv[1:]:
    text = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
    width, height = map(float, re.search(rf'<page width{NUMBER} height{NUMBER}', text).groups())
    words = [(html.unescape(word), tuple(map(float, box))) for *box, word in re.findall(rf'<word{BOX}>(.*?)</word>', text)]
    problems = [] if words else ["no text"]
    for at, (word, box) in enumerate(words):
        if box[0] < 0 or box[1] < -0.5 or box[2] > width or box[3] > height + 0.5:
            problems.append(f"'{word}' leaves the page of {width:g}x{height:g} points: {box}")
        problems += [f"'{word}' lies over '{other}' at {box[:2]}" for other, there in words[:at] if overlap(letters(word, box), letters(other, there))]
    for problem in problems:
        print(f"{path}: {problem}")
    wrong += bool(problems)
sys.exit(wrong > 0)
EOF
}

# A run of few formats, and one with as many as a characterization has.
@test "figure: in a PDF no text leaves the page or lies over other text" {
    "$fixtures/crowd" "$fixtures/run" crowd
    draw "$fixtures/run"
    draw crowd
    [ "$(ls page.crowd/*.pdf | wc -l)" -ge 20 ]
    words_collide page.run/*.pdf page.crowd/*.pdf
}

@test "figure: nor in one for a column of a paper" {
    "$fixtures/crowd" "$fixtures/run" crowd
    draw "$fixtures/run" --column
    draw crowd --column
    [ "$(ls column.crowd/*.pdf | wc -l)" -ge 20 ]
    words_collide column.run/*.pdf column.crowd/*.pdf
    # 3.5 inches wide, and no longer than a page
    for picture in column.*/*.pdf; do
        pdftotext -bbox "$picture" - | grep -Eo '<page width="252.0+" height="[0-9]+' || { echo "$picture"; return 1; }
    done
}

@test "figure: a word that is cut or covered is found" {
    gnuplot -e "set terminal pdfcairo size 3,2; set output 'good.pdf'; set label 1 'inside' at screen 0.3,0.5; plot x"
    gnuplot -e "set terminal pdfcairo size 3,2; set output 'cut.pdf'; set label 1 'margin' at screen 0.95,0.5; plot x"
    gnuplot -e "set terminal pdfcairo size 3,2; set output 'covered.pdf'; set label 1 'below' at screen 0.5,0.5; set label 2 'above' at screen 0.52,0.51; plot x"
    words_collide good.pdf
    run words_collide cut.pdf
    [ "$status" -eq 1 ]
    [[ $output == *" leaves the page of 216x144 points: "* ]]
    run words_collide covered.pdf
    [ "$status" -eq 1 ]
    [[ $output == *"' lies over '"* ]]
}

@test "figure: letters of a PDF have the size that they are given, and its fonts are embedded" {
    "$kneepoint" figure hero --run "$fixtures/run" --image=pdf -o page
    "$kneepoint" figure hero --run "$fixtures/run" --image=pdf --column -o column
    # pdftohtml counts points and a half. The heading has 17 pixels of 96 an inch; the smallest letters of a column have 6.5 points.
    sizes() { pdftohtml -xml -i -stdout "$1" | sed -n 's/.*<fontspec .*size="\([0-9]*\)".*/\1/p' | sort -n; }
    [ "$(sizes page/hero.pdf | tail -n 1)" -eq 19 ]
    [ "$(sizes column/hero.pdf | head -n 1)" -eq 10 ]
    [ "$(pdffonts page/hero.pdf | awk 'NR > 2' | wc -l)" -ge 1 ]
    [ -z "$(pdffonts page/hero.pdf | awk 'NR > 2 && $(NF - 4) != "yes"')" ]
}

@test "figure: --image=tex is text for LaTeX beside a PDF of lines" {
    "$kneepoint" figure hero --run "$fixtures/run" --image=pdf --column -o out
    cp out/hero.pdf before.pdf
    run "$kneepoint" figure hero --run "$fixtures/run" --image=tex --column -o out
    [ "$status" -eq 0 ]
    [ "$output" = out/hero.tex ]
    cmp before.pdf out/hero.pdf
    grep -q 'includegraphics\[width={252.00bp}.*{hero-inc}' out/hero.tex
    [ -z "$(pdftotext out/hero-inc.pdf - | tr -d '\f\n')" ]
    # nothing but numbers is mathematics, and no letter of a name is a command
    grep -qF 'int2\_planes.mask, limit: memory' out/hero.tex
    grep -qF '\strut{}\ensuremath{\beta}, 2 cores: 4.55}}%' out/hero.tex
    grep -qF '{\strut{}$128$}' out/hero.tex
    [ -z "$(sed -n 's/.*strut{}//p' out/hero.tex | grep '[^\]_')" ]
    [ "$(ls -A out | grep -c '^\.')" -eq 0 ]
    # the caption is that of the .txt, for papers in columns, too
    cited="$(sed -n 's/^Measured: //p' out/hero.txt)"
    [[ $cited == *" core"*"; cycles graded "*" samples, "*"kneepoint "*" run run of "* ]]
    grep -q '^\\kneepointcaption{Where is the knee? .* Measured: .*run run of [0-9-]*\.}%$' out/hero.tex
    if command -v pdflatex >/dev/null; then
        printf '%s\n' '\documentclass{article}' '\usepackage{graphicx,color,amssymb}' '\begin{document}' '\input{hero}' '\begin{figure}\input{hero}\end{figure}' '\end{document}' >out/paper.tex
        (cd out && pdflatex -interaction=nonstopmode -halt-on-error paper.tex) || return 1
    fi
}

@test "figure: of a figure for LaTeX that cannot be drawn nothing is left" {
    mkdir bin
    printf '%s\n' '#!/bin/sh' '[ "$1" = --version ] && exec '"$(command -v gnuplot)"' --version' 'touch .hero.$PPID.tex .hero.$PPID.pdf' 'exit 1' >bin/gnuplot
    chmod +x bin/gnuplot
    PATH=$PWD/bin:$PATH run "$kneepoint" figure hero --run "$fixtures/run" --image=tex -o out
    [ "$status" -eq 2 ]
    [ "$(ls -A out | tr '\n' ' ')" = "hero.dat hero.gp hero.txt " ]
}
