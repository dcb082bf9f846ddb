# SPDX-License-Identifier: BSD-3-Clause
#
# What kernels need of the headers of intrinsics, some thousand functions of which gcc would else read each for every object and find nearly all unused.
#
#   awk -v lacking=1 -f intrinsics.awk HEADER...   for a start: guards of headers whose intrinsics are all of an extension, where that is missing
#   gcc -E -dD ... | awk -f intrinsics.awk WORDS - what is left, without the functions that neither a word of WORDS, one a line, names nor what these stand for
#
# A header that is all of an extension says so in its first lines: #ifndef __AVX2__, then what gives it to these alone.
lacking && FNR == 1 { guard = text = "" }
lacking && (guard == "-" || NF == 0) { next }
lacking && !guard { if (/^#define _[A-Z0-9_]*_INCLUDED/) guard = $2; next }
lacking && /^#pragma GCC push_options/ {
    if (text ~ /^#if(ndef __[A-Z0-9_]*__| [!|A-Za-z0-9_() \\\n]*)\n$/ && text !~ /[^!]defined/) printf "%s#define %s\n#endif\n", text, guard
    guard = "-"
}
lacking { text = text $0 "\n"; if (length(text) > 400) guard = "-"; next }

function name_of(head) {
    gsub(/__attribute__ *\(\([^)]*(\([^)]*\))?[^)]*\)\)/, "", head)
    sub(/ *\(.*|{.*/, "", head)
    sub(/.*[^A-Za-z0-9_]/, "", head)
    return head
}
function wanted(word) {
    if (!(word in used)) { used[word]; if (word in meaning) pending[++last] = word }
}
function wanted_of(text) {
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) { wanted(substr(text, RSTART, RLENGTH)); text = substr(text, RSTART + RLENGTH) }
}

FNR == NR { word[++words] = $1; next }
/^# [0-9]+ "/ { own = $3 !~ /<built-in>|<command-line>|stdc-predef/; file = $3; at = $2; next }
!own { next }
{ line[++lines] = $0; number[lines] = at++; from[lines] = file }
/^#define / { name = $2; sub(/\(.*/, "", name); meaning[name] = meaning[name] " " $0; next }
/^(__extension__ )?(extern|static) __inline/ { first = lines; text = ""; depth = 0 }
first {
    text = text " " $0
    depth += gsub(/{/, "{") - gsub(/}/, "}")
    if (!depth && /[;}] *$/) {
        name = name_of(text)
        meaning[name] = meaning[name] text
        for (i = first; i <= lines; i++) of[i] = name
        first = 0
    }
}
END {
    if (lacking) exit
    for (i = 1; i <= words; i++) wanted(word[i])
    for (i = 1; i <= last; i++) wanted_of(meaning[pending[i]])
    for (i = 1; i <= lines; i++) {
        if (line[i] == "" || i in of && !(of[i] in used)) continue
        if (number[i] != number[said] + 1 || from[i] != from[said]) print "# " number[i] " " from[i] " 3"
        print line[i]
        said = i
    }
}
