/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "results/blocks/blocks.h"

/**
 * What must be the same on both sides before a difference in time says anything of the code, and what differs. Pure.
 */
enum comparable_fact {
    COMPARABLE_CPU,   /* its key: results/records/cpu_key.h */
    COMPARABLE_PAGES, /* kind of the pages of the cold pool, and whether nearly all of it lies on huge ones */
    COMPARABLE_FLAGS, /* compiler and its flags */
    COMPARABLE_CLOCK, /* what counted the core cycles */
    COMPARABLE_CELLS, /* what was measured */
    COMPARABLE_FACTS
};
const char *comparable_fact_name(enum comparable_fact fact); /* "cpu", "pages", … */

struct comparable {
    bool differs[COMPARABLE_FACTS];
    char how[COMPARABLE_FACTS][480]; /* in words, where it differs */
    char notes[480]; /* what else differs and may matter: kernel, governor, microcode, host; "" if nothing does */
};

/**
 * A fact that one side or both do not know counts as a difference, but for other benchmarks, which state few; pages that neither side or only one used do not,
 * nor what older runs did not state of a CPU beyond its signature, which is noted.
 * @param takes  whether a cell is asked for; NULL: all are. Controls never are.
 */
void comparable_make(const struct blocks *base, const struct blocks *head,
                     bool (*takes)(const void *context, const char *cell), const void *context,
                     struct comparable *comparable);

/** Whether the same cell can be held against the other: class and unit agree. */
bool comparable_cell(const struct blocks_cell *base, const struct blocks_cell *head);
