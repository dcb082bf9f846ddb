/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_VERDICT_H
#define REPORTS_VERDICT_H

#include <stdbool.h>
#include <stdio.h>

#include "results/comparison.h"

/**
 * A comparison as people and machines read it: a table sorted by effect, Markdown for a pull request, JUnit XML for
 * continuous integration, JSON Lines. Derived from the comparison alone.
 */
enum verdict_format { VERDICT_TEXT, VERDICT_MARKDOWN, VERDICT_JUNIT, VERDICT_JSON, VERDICT_FORMATS };
/** "text", "markdown", "junit", "json"; VERDICT_FORMATS for another name. */
enum verdict_format verdict_format_named(const char *name);

struct verdict {
    const struct comparison *comparison;
    const char *base, *head;       /* as the user calls them */
    unsigned allowed;              /* bit 1 << fact: may differ */
    bool live;                     /* measured now, in pairs */
    size_t pairs;                  /* live: measured */
    size_t moved[COMPARE_CLASSES]; /* live: pairs that a class discarded since its roof moved */
    const char *confirmation;      /* how losses were confirmed, in words; "" where they were not */
};

/** Facts that differ and are not allowed to, joined with "; ". @return whether there are any */
bool verdict_incomparable(const struct verdict *verdict, char *how, size_t size);

/** Write to the stream. @return 0 or -EIO, -ENOMEM */
int verdict_write(const struct verdict *verdict, enum verdict_format format, FILE *stream);

#endif
