# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f scripts/source_rows.awk platforms/isa.def FILE.def...: for make, a word a kernel, sequence, part of a layer or format,
#
#     <folder>/<name>.<isa>.c|<source>|<FILE.def>|<option>|<option>...
#
# of rows "name source instruction-set... MACRO=value... gamma=sequence", as CONTRIBUTING says; of a sequences.def it is .S. A row of a formats.def
# is "format source MACRO=value...", and its word begins with micro/formats/<format>/format.c. "format.sequence" in a kernels.def is a kernel of a
# format that is a row beside it, "begin*.sequence" one of each that begins so. What is wrong in a row is said in a word that begins with "!", whose
# blanks are "~".

function wrong(what) {
    what = FILENAME ":" FNR ": " what
    gsub(/ /, "~", what)
    print "!" what
}

# A sequence that ends in ".*" is of the kernel's own instruction set.
function option(word, isa) {
    if (word !~ /^gamma=/)
        return "-D" word
    sub(/^gamma=/, "", word)
    sub(/\*$/, isa, word)
    return "-DSELF_MODEL='\"" word "\"'"
}

# row(KNOWN_AS, ISA): prints the word of what is known by this path.
function row(known_as, isa,    word, i) {
    if (known_as in before)
        wrong("a row before this one has '" $1 "'" (isa ? " for " isa : ""))
    before[known_as]
    word = known_as "|" ($2 ~ /\// ? "" : folder) $2 "|" FILENAME
    for (i = 3; i <= NF; i++)
        if ($i ~ /=/)
            word = word "|" option($i, isa)
    print word
}

# The formats that are rows beside a kernels.def.
function read_formats(    file, line, word) {
    file = folder "formats.def"
    formats = 0
    while ((getline line < file) > 0)
        if (line !~ /^#/ && split(line, word))
            format[++formats] = word[1]
    close(file)
}

# paths(NAME): path[1] to path[@return], what the name of the row stands for, without its instruction set
function paths(name,    count, of, i) {
    if (kind != "kernels" || name !~ /\./) {
        path[1] = folder name
        return 1
    }
    of = substr(name, 1, index(name, ".") - 1)
    for (i = 1; i <= formats; i++)
        if (of == format[i] || (of ~ /\*$/ && index(format[i], substr(of, 1, length(of) - 1)) == 1))
            path[++count] = "micro/formats/" format[i] "/" substr(name, length(of) + 2)
    if (!count)
        wrong("no row of formats.def beside it is '" of "'")
    return count + 0
}

FILENAME ~ /isa\.def$/ {
    if (match($0, /^ISA\([a-z0-9_]+/))
        known[substr($0, 5, RLENGTH - 4)] = 1
    next
}

FNR == 1 {
    kind = folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    sub(/.*\//, "", kind)
    sub(/\.def$/, "", kind)
    if (kind == "kernels")
        read_formats()
}

/^#/ || NF == 0 { next }

$2 !~ /\.[cS]$/ {
    wrong("after the name '" $1 "' comes its source, a file .c or .S, not '" $2 "'")
    next
}

kind == "formats" {
    for (i = 3; i <= NF; i++)
        if ($i !~ /=/)
            wrong("'" $i "' is no MACRO=value")
    row("micro/formats/" $1 "/format.c")
    next
}

{
    sets = 0
    count = paths($1)
    for (i = 3; i <= NF; i++) {
        if ($i ~ /=/)
            continue
        if (!($i in known))
            wrong("'" $i "' is no instruction set of platforms/isa.def and no MACRO=value")
        sets++
        for (j = 1; j <= count; j++)
            row(path[j] "." $i (kind == "sequences" ? ".S" : ".c"), $i)
    }
    if (!sets)
        wrong("'" $1 "' has no instruction set")
}
