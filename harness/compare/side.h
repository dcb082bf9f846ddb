/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_SIDE_H
#define HARNESS_COMPARE_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "results/blocks.h"

/**
 * One side of a stored comparison, as a user names it: the folder of a run, its records.jsonl, the file of a baseline,
 * or the name of one below the results folder.
 *
 * Errors: 0 or negative errno with one line in why.
 */
struct side {
    struct blocks blocks;
    bool truncated;   /* the last line of the records was cut off, and left out */
    size_t bad_lines; /* damaged lines within the records, left out */
};

/** -ENODATA: the run holds no sample, so that there are no blocks. */
int side_load(const char *given, const char *results, struct side *side, char *why, size_t size);
void side_release(struct side *side);

/** Whether two names lead to the same file or folder. */
bool side_is_same(const char *one, const char *other);

#endif
