/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_LIVE_WITHHELD_H
#define HARNESS_COMPARE_LIVE_WITHHELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/plugin/plugins.h"

/**
 * Kernels and sequences of a build that failed their check: a process that offers the cells of the build says which, as records
 * beside the offers, and none of them is measured on either side. The others are.
 */
struct live_withheld {
    struct live_fault {
        char *name; /* of the kernel or sequence */
        char *why;  /* a line that begins with the side and the build */
    } * fault;
    size_t count;
};

/** The record of a fault: {"type": "withheld", "name", "reason"}. NULL without memory */
json_t *live_withheld_record(const struct plugin_fault *fault);

/**
 * Those among the records of a side, added.
 * @param side, given  "HEAD", "./head.so"
 * @return 0 or -ENOMEM
 */
int live_withheld_take(const json_t *records, const char *side, const char *given, struct live_withheld *withheld);
void live_withheld_release(struct live_withheld *withheld);

/** Whether a cell, by its name or label "<kind>/<kernel or sequence>[/…]", is of one of them. */
bool live_withheld_has(const struct live_withheld *withheld, const char *cell_name);

#endif
