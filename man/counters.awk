# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f man/counters.awk BACK-END.c... man/kneepoint.1: the manual page with a line for each back end that counts, from
# its own descriptor, in the order in which auto prefers them (platforms/counters/backends.h).

# text(FIELD): the string of `.FIELD = "…",`.
function text(field) {
    sub("^.*\\." field " = \"", "")
    sub("\",$", "")
    return $0
}

FNR == 1 { page = FILENAME ~ /\.1$/; if (!page) count++ }
!page && /^    \.name = "/ { name[count] = text("name") }
!page && /^    \.summary = "/ { summary[count] = text("summary") }
!page && /^    \.priority = / { priority[count] = $3 + 0 }
!page { next }
{ print }
/^\.\\" back ends$/ {
    while (1) {
        best = 0
        for (b = 1; b <= count; b++)
            if (b in name && (!best || priority[b] > priority[best]))
                best = b
        if (!best)
            break
        printf ".It Cm %s\n\\&%s\n", name[best], summary[best]
        delete name[best]
    }
}
