/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/user/sequence_names.h"

#include <errno.h>
#include <stdio.h>

#include "harness/plugin/name_argument.h"
#include "results/text/refuse.h"

int sequence_names_find(const struct session *session, const char *name, const struct name_filter *filter,
                        const struct sequence **found, size_t capacity, char *why, size_t size)
{
    const struct sequence *nearest = NULL;
    bool unwanted = false;
    char text[256];
    size_t count = 0;
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (name && !name_argument_means(name, (*sequence)->name))
            continue;
        if (!name_filter_has_sequence(filter, *sequence)) {
            unwanted = true;
            continue;
        }
        if (!nearest || isa_lacks_less((*sequence)->isa, nearest->isa, &session->machine.dump))
            nearest = *sequence;
        if (session_runs(session, (*sequence)->isa) && count < capacity)
            found[count++] = *sequence;
    }
    if (count)
        return (int)count;
    if (!nearest && name_argument_withheld(name, &session->plugins)) {
        snprintf(why, size, "'%s' failed its check, and no other sequence matches", name);
        return -EILSEQ;
    }
    if (!nearest && unwanted)
        return refuse(-ENOENT, why, size, "no sequence%s%s%s has %s; `kneepoint list sequences` shows them",
                      name ? " '" : "", name ? name : "", name ? "'" : "", name_filter_text(filter, text, sizeof text));
    if (!nearest)
        return refuse(-ENOENT, why, size, "no sequence '%s'; `kneepoint list sequences` shows them%s", name ? name : "",
                      name_argument_hint(name ? name : "", true, text, sizeof text));
    char missing[160];
    isa_missing(isa_find(nearest->isa), &session->machine.dump, missing, sizeof missing);
    snprintf(why, size, "%s cannot run on this CPU: it %s", nearest->name, missing);
    return -ENOEXEC;
}
