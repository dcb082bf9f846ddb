/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "reports/papers/claim.h"

/**
 * What papers state, from roofline/papers/<name>.json (embedded into the binary): the only reader of these files.
 *
 * A file has "kneepoint_papers": 1, "name", "title", "values" (columns of tables, used by several claims as "@column"
 * or "@column[row]", and by figures that show what a paper observed) and "claims". A claim has
 *
 *     id, section   where the paper says it
 *     says          what it says, in our words
 *     formula       see roofline/expression.h; an uncertain number stands in it once: twice, the interval may come out too wide,
 *                   which a test refuses
 *     inputs        by name: a number with its unit as the paper prints it, "98 GB/s" (see roofline/interval.h), a list
 *                   of such, {"unit": …, "values": […]}, or a "@column"
 *     stated        the value it states; a list states one for each of "rows", and lists among the inputs are then
 *                   taken row by row: that is one claim for each row
 *     readings      optional: other units or bases, {"with": what is read differently, and formula, inputs or stated to
 *                   replace}
 *     note          optional, for the reader
 *     because       optional, of a ratio that kernels here have, too: why it may be another one; reports print it where what was
 *                   measured differs, and nowhere else
 *
 * Errors: 0, -ENOENT, -ENOMEM, or -EINVAL with one line in why: the file, the field and the reason.
 */
struct papers {
    json_t *files; /* owns all texts */
    struct papers_claim *claims;
    size_t count, capacity;
    struct papers_column *columns;
    size_t column_count;
};

/** All papers, in the order of their names. Free with papers_free, also after a failure. */
int papers_load(struct papers *papers, char *why, size_t size);

/** One paper by its name. -ENOENT without such a file. Free with papers_free, also after a failure. */
int papers_open(const char *name, struct papers *papers, char *why, size_t size);

/** Add what one file states; origin names it in why. papers is zeroed before the first. */
int papers_add(struct papers *papers, const char *text, size_t length, const char *origin, char *why, size_t size);

void papers_free(struct papers *papers);

/** Name and title of a paper by index in the order of loading; NULL after the last. */
const char *papers_name(const struct papers *papers, size_t index, const char **title);

/** The claim of this id; NULL if there is none. */
const struct papers_claim *papers_claim_of(const struct papers *papers, const char *paper, const char *id);

/** A number that a claim rests on, as printed, in its own unit; NaN without such an input or claim. */
double papers_claim_input(const struct papers_claim *claim, const char *name);

/** A value of a column as printed, in its own unit; NaN where the paper states none. */
double papers_column_value(const struct papers *papers, const char *paper, const char *column, size_t row);
