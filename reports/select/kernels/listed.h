/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/run/view.h"

/**
 * Sequences that stand for their format where not all can be shown, some three hundred of them: the best of them, and the best
 * that others have published (reports/select/kernels/best.h), each at its best number of accumulators.
 */

/** Whether a gamma record is one of the two. No experiment is. */
bool least_is(const struct view *view, const json_t *gamma);

/** Whether a sequence is, by its name, or has no gamma at its best that could tell. */
bool least_is_named(const struct view *view, const char *sequence);

/**
 * Kernels whose GEMV cells a page lists one by one: of each format the fastest on the reference shape from memory, with one thread and with
 * the widest team, of all kernels and of those that others published. A format without a valid cell there has none that is known to
 * be the fastest. A run has a thousand cells, and of the others the table of all kernels has one shape.
 */
enum { LISTED_MAX = 512 };
struct listed {
    const char *names[LISTED_MAX];
    size_t count;
    const char *judged[LISTED_MAX]; /* formats with a fastest */
    size_t judged_count;
};

void listed_of(const struct view *view, struct listed *listed);

/** Whether a cell is listed: of a kernel that is, of a format without a fastest, or not valid, which a reader must know. */
bool listed_has(const struct listed *listed, const json_t *gemv);
