/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MODEL_PAPERS_PARTS_H
#define HARNESS_MODEL_PAPERS_PARTS_H

#include "harness/model/papers.h"
#include "platforms/described_fields.h"

/** Inside of harness/model/papers.h: from a claim in its file to figures, ranges and a recomputed value. */

/** The file that is being read, and the row of the claim that is. */
struct papers_source {
    const struct field_reader *reader;
    const json_t *values; /* columns by name; NULL: none */
    size_t row, rows;     /* rows 0: a claim without rows */
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
