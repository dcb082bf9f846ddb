# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f scripts/source_rows.awk platforms/isa.def FILE.def...: for make, a word a kernel, sequence or part of a layer,
#
#     <folder>/<name>.<isa>.c|<source>|<option>|<option>...
#
# of rows "name source instruction-set... MACRO=value... gamma=sequence", as CONTRIBUTING says; of a sequences.def it is .S. What is wrong in a row
# is said in a word that begins with "!", whose blanks are "~".

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

FILENAME ~ /isa\.def$/ {
    if (match($0, /^ISA\([a-z0-9_]+/))
        known[substr($0, 5, RLENGTH - 4)] = 1
    next
}

FNR == 1 {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    ending = FILENAME ~ /sequences\.def$/ ? ".S" : ".c"
}

/^#/ || NF == 0 { next }

$2 !~ /\.[cS]$/ {
    wrong("after the name '" $1 "' comes its source, a file .c or .S, not '" $2 "'")
    next
}

{
    sets = 0
    for (i = 3; i <= NF; i++) {
        if ($i ~ /=/)
            continue
        if (!($i in known))
            wrong("'" $i "' is no instruction set of platforms/isa.def and no MACRO=value")
        if (($1, $i) in before && before[$1, $i] == FILENAME)
            wrong("a row before this one has '" $1 "' for " $i)
        before[$1, $i] = FILENAME
        sets++
        row = folder $1 "." $i ending "|" ($2 ~ /\// ? "" : folder) $2
        for (j = 3; j <= NF; j++)
            if ($j ~ /=/)
                row = row "|" option($j, $i)
        print row
    }
    if (!sets)
        wrong("'" $1 "' has no instruction set")
}
