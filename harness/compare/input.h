/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "results/blocks/blocks.h"

/**
 * One side of a stored comparison, as a user names it: the folder of a run, its records.jsonl, the file of a baseline
 * or of another benchmark (results/blocks/foreign.h), or the name of a baseline below the results folder.
 *
 * Errors: 0 or negative errno with one line in why.
 */
struct compare_input {
    struct blocks blocks;
    bool truncated;   /* the last line of the records was cut off, and left out */
    size_t bad_lines; /* damaged lines within the records, left out */
};

/** -ENODATA: the run holds no sample, so that there are no blocks; -EXDEV: an emulator timed it. */
int compare_input_load(const char *given, const char *results, struct compare_input *input, char *why, size_t size);
void compare_input_release(struct compare_input *input);

/** Whether two names lead to the same file or folder. */
bool compare_input_is_same(const char *one, const char *other);
