# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f man/lists.awk BACK-END.c... COMMAND-PAGE... PAGE: the page with what its marks stand for: every back end that counts, from
# its own descriptor, in the order in which auto prefers them (platforms/counters/backends.h), every command, from its page, and every
# layout, from the file formats that man/formats.awk wrote.

# text(FIELD): the string of `.FIELD = "…",`.
function text(field) {
    sub("^.*\\." field " = \"", "")
    sub("\",$", "")
    return $0
}

function list_back_ends(    b, best) {
    while (1) {
        best = 0
        for (b = 1; b <= count; b++)
            if (b in name && (!best || priority[b] > priority[best]))
                best = b
        if (!best)
            return
        printf ".It Cm %s\n\\&%s\n", name[best], summary[best]
        delete name[best]
    }
}

FNR == 1 { file++; count += FILENAME ~ /\.c$/ }
file < ARGC - 1 && /^    \.name = "/ { name[count] = text("name") }
file < ARGC - 1 && /^    \.summary = "/ { summary[count] = text("summary") }
file < ARGC - 1 && /^    \.priority = / { priority[count] = $3 + 0 }
file < ARGC - 1 && /^\.Nm / { page = $2 }
file < ARGC - 1 && /^\.Nd / { command[++commands] = page; does[commands] = substr($0, 5) }
file < ARGC - 1 { next }
{ print }
/^\.\\" back ends$/ { list_back_ends() }
/^\.\\" formats$/ {
    while ((getline line < formats) > 0)
        print line
}
/^\.\\" commands$/ {
    for (c = 1; c <= commands; c++)
        printf ".It Xr %s 1\n\\&%s\n", command[c], does[c]
}
