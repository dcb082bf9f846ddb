/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "results/statistics/stats.h"

/** What a command that compares kernels says first: which is the fastest, what limits it, and which is next. */

struct fastest_row {
    const char *name;      /* NULL: there is no such row */
    const char *attained;  /* "94% of the roof" */
    const char *limit;     /* of the model, "neither" (roofline/limit.h), or NULL: not known */
    struct summary time_s; /* what is compared */
};

/**
 * "fastest here: NAME, 94% of the roof, limited by memory; next: NAME, 1.12 times as long, limited by up-converting". The next one is
 * "as fast within the noise" if the 95% intervals of the times overlap. Of one alone "here: NAME, ...".
 * @return text; "" without a fastest
 */
const char *fastest_text(const struct fastest_row *fastest, const struct fastest_row *next, char *text, size_t size);

/**
 * What to try where no term of the model explains a time, or "".
 * @param kernel  one of them
 * @param rows    how many of them there are
 */
const char *fastest_advice_text(const char *kernel, size_t rows, char *text, size_t size);

/** A quantity of a record; its median is NaN where too few samples were kept. */
struct summary fastest_quantity(const json_t *record, const char *field);

/** Add a record to an array in order, after those that are equal; takes the reference. compare: <0, 0, >0 */
void fastest_insert(json_t *rows, json_t *record, int (*compare)(const json_t *one, const json_t *other));

/** <0 if the first has less time_s; what has none is last. */
int fastest_compare_times(const json_t *one, const json_t *other);
