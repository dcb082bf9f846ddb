# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f man/formats.awk micro/formats/*/format.c: the layout of each format in mdoc, as its file draws it in its first comment. Of a format that is a
# row of formats.def it is the word of scripts/source_rows.awk, and macros in the comment become what the row says they are.
# Where that comment says that a header draws it, the first comment of the header follows. Prose becomes text, what is indented by four
# columns and more a display.

# escaped(TEXT): as roff takes it, wherever it stands in a line.
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/…/, "...", text)
    gsub(/×/, "\\(mu", text)
    gsub(/≤/, "\\(<=", text)
    gsub(/≥/, "\\(>=", text)
    gsub(/−|–/, "-", text)
    gsub(/'/, "\\(aq", text)
    return text ~ /^[.]/ ? "\\&" text : text
}

function show(on) {
    if (on != shown)
        print on ? ".Bd -literal" : ".Ed"
    shown = on
}

# draw(FILE): its first comment. @return the header that this says draws it, or ""
function draw(file,    line, began, blank, drawn, prose, lower) {
    drawn = ""
    prose = 0
    while ((getline line < file) > 0 && line !~ /\*\//) {
        if (line ~ /SPDX/ || line !~ /^ \*/)
            continue
        sub(/^ \* ?/, "", line)
        for (macro in value)
            gsub(macro, value[macro], line)
        if (match(line, /[a-z0-9_\/]+\.h draws/))
            drawn = substr(line, RSTART, RLENGTH - 6)
        if (match(line, /[Dd]rawn in [a-z0-9_\/]+\.h/))
            drawn = substr(line, RSTART + 9, RLENGTH - 9)
        if (line ~ /^ *$/) {
            blank = 1
        } else if (line ~ /^    /) {
            if (blank && shown)
                print ""
            show(1)
            print escaped(line)
            blank = 0
        } else if (line !~ /^Drawn in /) {
            if (blank || shown) {
                show(0)
                if (prose)
                    print ".Pp"
            }
            gsub(/\. /, ".\n", line) # a sentence begins on a line of its own
            print escaped(line)
            said = prose = 1
            blank = 0
        }
    }
    close(file)
    show(0)
    return drawn
}

BEGIN {
    for (i = 1; i < ARGC; i++) {
        split("", value)
        parts = split(ARGV[i], part, "|")
        for (p = 4; p <= parts; p++) {
            split(part[p], definition, "=")
            value[substr(definition[1], 3)] = definition[2]
        }
        folder = part[1]
        sub(/\/[^\/]*$/, "", folder)
        name = folder
        sub(/.*\//, "", name)
        print ".Ss " name
        said = 0
        header = draw(part[parts > 1 ? 2 : 1])
        split("", value)
        if (header == "")
            continue
        if (said)
            print ".Pp"
        draw(header ~ /^micro\// ? header : folder "/" header)
    }
}
