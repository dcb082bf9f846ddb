/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Kernels and sequences of a build that failed their check, or misbehaved while they were measured: the process of a block says which,
 * as records beside what it offers or measured. None of them is measured on either side from then on, nor judged; the others are.
 */
struct live_withheld {
    struct live_fault {
        char *name;     /* of the kernel or sequence */
        char *why;      /* a line that begins with the side and the build */
        json_t *record; /* withheld_record(), with its "side" */
    } * fault;
    size_t count, told; /* of the first `told` the lines have been asked for (live_withheld_next) */
};

/** Whether there is one among the records. */
bool live_withheld_any(const json_t *records);

/**
 * Those among the records of a side, added.
 * @param side, given  "HEAD", "./head.so"
 * @return 0 or -ENOMEM
 */
int live_withheld_take(const json_t *records, const char *side, const char *given, struct live_withheld *withheld);
void live_withheld_release(struct live_withheld *withheld);

/** The line of the next one that was not asked for yet; NULL: there is none. */
const char *live_withheld_next(struct live_withheld *withheld);

/** Whether a cell, by its name or label "<kind>/<kernel or sequence>[/…]", is of one of them. */
bool live_withheld_has(const struct live_withheld *withheld, const char *cell_name);
