# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f scripts/source_rows.awk platforms/isa.def FILE.def...: for make, a word a kernel, sequence, part of a layer or format,
#
#     <folder>/<name>.<isa>.c|<source>|<FILE.def>|<option>|<option>...        of a sequences.def .S
#
# A kernels.def lies in the folder of a format and says what its sources are compiled for, a sequences.def the same of sequences in assembly. A row is
#
#     sequence  source  instruction-set...  [MACRO=value...]  [gamma=sequence]  [tiles=kernel]
#
# or begins with format.sequence, as all rows of a sequences.def do. The source is a file of the same folder, or has a path from the root. Macros are
# numbers and names; a source that is a .S is compiled with them for both of its halves. gamma=q4_0.signed.* defines SELF_MODEL, the sequence whose gamma
# models the kernel, here that of the kernel's own instruction set; without it that is the sequence of the kernel's name. tiles=q4_0.tile.* becomes the word
# tiles:q4_0.tile.<instruction set>: the kernel has its tiles from that one (micro/frames/gemm_blocks.h). A source includes what its format
# or instruction set decides by micro/of_self.h. A kernel's name and its object stay <format>/<sequence>.<isa>. A source that is a .cl is a step in OpenCL C
# (micro/device_kernel.h), its instruction set "opencl", and its word begins with <format>/<step>.opencl.cl. A row
#
#     format  format.c  MACRO=value...
#
# has the sizes of the format that lies beside it: what is drawn there, in macros with which the format and its kernels are compiled.
#
# A formats.def has formats that differ by numbers alone, in the folder of their family or of a format that they vary. A row is
#
#     format  source  MACRO=value...
#
# and its word begins with micro/formats/<format>/format.c. Rows of the kernels.def beside it are their kernels: format.sequence is a kernel of one of
# these formats, begin*.sequence one of each whose name begins so. They are compiled with the macros of the format and of their own row, and OF_FORMAT is
# the folder of the rows. kneepoint-formats(7) has the first comment of the source for each format, with values in place of the macros.
#
# An error in a row becomes a word that begins with "!", with "~" in place of blanks.

function wrong(what) {
    what = FILENAME ":" FNR ": " what
    gsub(/ /, "~", what)
    print "!" what
}

# A sequence that ends in ".*" is of the kernel's own instruction set.
function option(word, isa) {
    if (word !~ /^(gamma|tiles)=/)
        return "-D" word
    sub(/\*$/, isa, word)
    if (sub(/^tiles=/, "tiles:", word))
        return word
    sub(/^gamma=/, "", word)
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

$2 !~ /\.(c|S|cl)$/ {
    wrong("after the name '" $1 "' comes its source, a file .c, .S or .cl, not '" $2 "'")
    next
}

kind == "formats" || $1 == "format" {
    if (kind != "formats" && $2 != "format.c")
        wrong("the row 'format' has the sizes of format.c, not of '" $2 "'")
    for (i = 3; i <= NF; i++)
        if ($i !~ /=/)
            wrong("'" $i "' is no MACRO=value")
    row((kind == "formats" ? "micro/formats/" $1 "/" : folder) "format.c")
    next
}

{
    sets = 0
    count = paths($1)
    for (i = 3; i <= NF; i++) {
        if ($i ~ /=/)
            continue
        if ($2 ~ /\.cl$/ ? $i != "opencl" : !($i in known))
            wrong("'" $i "' is " ($2 ~ /\.cl$/ ? "not opencl, which a .cl is compiled for," : "no instruction set of platforms/isa.def") " and no MACRO=value")
        sets++
        for (j = 1; j <= count; j++)
            row(path[j] "." $i (kind == "sequences" ? ".S" : $2 ~ /\.cl$/ ? ".cl" : ".c"), $i)
    }
    if (!sets)
        wrong("'" $1 "' has no instruction set")
}
