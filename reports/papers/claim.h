/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "platforms/described/described_fields.h"
#include "roofline/claim_verdict.h"
#include "roofline/expression.h"
#include "roofline/interval.h"

/** A number of a paper as it is printed, with its unit. The texts belong to the file that it was read from. */
struct papers_value {
    const char *text;            /* "98 GB/s" */
    struct stated_value printed; /* in its unit */
    const char *unit;            /* "GB/s"; "1" for a bare number */
    double factor;               /* of the unit: into SI */
};

struct papers_values {
    struct papers_value *of;
    size_t count;
};

/**
 * Read "98 GB/s". A number without a unit has that of its list.
 * @param unit_of_list  NULL: none
 * @return 0, or -EINVAL with the reason in the reader
 */
int papers_read_value(const struct field_reader *reader, const char *path, const json_t *text, const char *unit_of_list,
                      struct papers_value *value);

/** Whether this is a list: an array, or {"unit": …, "values": […]}. */
bool papers_is_list(const json_t *list);

/** Read a list in either form. @return 0, -EINVAL or -ENOMEM; values->of is to be freed in each case */
int papers_read_list(const struct field_reader *reader, const char *path, const json_t *list,
                     struct papers_values *values);

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

/** From a claim in its file to values, ranges and a recomputed value. */

/** A column of a paper's table, "values" in its file. */
struct papers_column {
    const char *paper, *name;
    struct papers_values values;
};

/** The file that is being read, and the row of the claim that is. */
struct papers_source {
    const struct field_reader *reader;
    const struct papers_column *columns; /* of this file */
    size_t column_count;
    size_t row, rows; /* rows 0: a claim without rows */
};

/**
 * Read one way to read a claim, and recompute it.
 * @param path         of the claim, or of the alternative
 * @param claim        the claim as it is printed
 * @param alternative  one of its "readings", whose members go before; NULL for the claim as it is printed
 * @return 0, -EINVAL or -ENOMEM with the reason in the source's reader; what was read is to be freed
 */
int papers_read_reading(const struct papers_source *source, const char *path, json_t *claim, json_t *alternative,
                        struct papers_reading *reading);

void papers_free_reading(struct papers_reading *reading);
