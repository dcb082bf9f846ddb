/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAPERS_READING_H
#define REPORTS_PAPERS_READING_H

#include "reports/papers/claim.h"

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

#endif
