/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAPERS_CLAIM_H
#define REPORTS_PAPERS_CLAIM_H

#include <jansson.h>
#include <stddef.h>

#include "reports/papers/value.h"
#include "roofline/claim_verdict.h"
#include "roofline/expression.h"

/** A checkable statement of a paper, recomputed from the values that the paper itself gives. */

/** What a formula is given. */
struct papers_input {
    char name[EXPRESSION_NAME_SIZE];
    struct papers_values values; /* one: a number, else a list */
};

/** One way to read a claim. */
struct papers_reading {
    const char *with; /* what is read differently; "" for the paper as it is printed */
    const char *formula;
    struct papers_input *inputs; /* those that the formula uses */
    size_t input_count;
    struct papers_value stated;
    struct interval recomputed; /* in the unit of the stated value */
    double nominal;             /* recomputed from the values as printed; the same unit */
};

struct papers_claim {
    const char *paper, *section, *says, *note, *because; /* the last two "" if there is none */
    char id[80];                                         /* within its paper; "table-ii-w1a2[64/1k/1k]" for a row */
    struct papers_reading *readings;
    size_t reading_count;
    enum claim_verdict verdict;
    size_t which; /* reading that decided */
};

/** By how much the claim as printed is off: recomputed over stated, minus 1. */
double papers_difference(const struct papers_claim *claim);

/** Record of type "claim". New reference. */
json_t *papers_record(const struct papers_claim *claim);

#endif
