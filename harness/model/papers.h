/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MODEL_PAPERS_H
#define HARNESS_MODEL_PAPERS_H

#include <jansson.h>
#include <stddef.h>

#include "roofline/expression.h"
#include "roofline/verdict.h"

/**
 * Checkable statements of papers, from roofline/papers/<name>.json (embedded into the binary), and their verdicts.
 *
 * A file has "kneepoint_papers": 1, "name", "title", "values" (columns of tables, used by several claims as "@column"
 * or "@column[row]", and by figures that show what a paper observed) and "claims". A claim has
 *
 *     id, section   where the paper says it
 *     says          what it says, in our words
 *     formula       see roofline/expression.h
 *     inputs        by name: a figure with its unit as the paper prints it, "98 GB/s" (see roofline/interval.h), a list
 *                   of such, {"unit": …, "values": […]}, or a "@column"
 *     stated        the figure it states; a list states one figure for each of "rows", and lists among the inputs are
 *                   then taken row by row: that is one claim for each row
 *     readings      optional: other units or bases, {"with": what is read differently, and formula, inputs or stated to
 *                   replace}
 *     note          optional, for the reader
 *
 * Errors: 0, -ENOMEM, or -EINVAL with one line in why: the file, the field and the reason.
 */
/** A figure as a paper prints it. */
struct papers_figure {
    const char *text;              /* "98 GB/s" */
    struct figure_printed printed; /* in its unit */
    const char *unit;              /* "GB/s"; "1" for a bare number */
    double factor;                 /* of the unit: into SI */
};

/** What a formula is given. */
struct papers_input {
    char name[EXPRESSION_NAME_SIZE];
    struct papers_figure *figures;
    size_t count; /* 1: a number, else a list */
};

struct papers_reading {
    const char *with; /* "" for the paper as it is printed */
    const char *formula;
    struct papers_input *inputs; /* those that the formula uses */
    size_t input_count;
    struct papers_figure stated;
    struct interval recomputed; /* in the unit of the stated figure */
    double nominal;             /* recomputed from the figures as printed; the same unit */
};

struct papers_claim {
    const char *paper, *section, *says, *note; /* note "" if there is none */
    char id[80];                               /* within its paper; "table-ii-w1a2[64/1k/1k]" for a row */
    struct papers_reading *readings;
    size_t reading_count;
    enum verdict verdict;
    size_t which; /* reading that decided */
};

struct papers {
    json_t *files; /* owns all texts */
    struct papers_claim *claims;
    size_t count, capacity;
};

/** All papers, in the order of their names. Free with papers_free, also after a failure. */
int papers_load(struct papers *papers, char *why, size_t size);

/** Add the claims of one file; origin names it in why. */
int papers_add(struct papers *papers, const char *text, size_t length, const char *origin, char *why, size_t size);

void papers_free(struct papers *papers);

/** Name and title of a paper by index in the order of loading; NULL behind the last. */
const char *papers_name(const struct papers *papers, size_t index, const char **title);

/** By how much the claim as printed is off: recomputed over stated, minus 1. */
double papers_difference(const struct papers_claim *claim);

/** Record of type "claim". New reference. */
json_t *papers_record(const struct papers_claim *claim);

#endif
