/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_RECORD_H
#define RESULTS_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "results/stats.h"

/**
 * Records are JSON objects, one a line, the same on standard output and in records.jsonl.
 *
 * A quantity is {"median":…,"min":…,"mad":…,"ci95":[…,…],"n":…,"rejected":…,"unit":"…","grade":"…"}; an absent one is
 * null beside a "<name>_reason" string. Grades: "pmu", "chain", "wall", "model", "count".
 *
 * Errors: 0 or negative errno; NULL for pointers.
 */

/** JSON quantity of a summary; JSON null for a summary with n == 0. New reference; NULL without memory or for a
 * non-finite field. */
json_t *record_quantity(const struct summary *summary, const char *unit, const char *grade);

/** Read a quantity back; max is not recorded and comes back as NaN. @return 0, -ENOENT if the field is absent or null,
 * -EINVAL if it is malformed. */
int record_quantity_read(const json_t *record, const char *field, struct summary *summary);

/** Whether a value is a record: an object with a string "type". */
bool record_is_valid(const json_t *value);

/**
 * The line of a record, newline included: compact, keys in insertion order, numbers with enough digits to round-trip.
 * @return text to free(), NULL without memory or if it is no record.
 */
char *record_format_line(const json_t *record, size_t *length);

/** Write one record as one line in a single write, and flush. @return 0, -EINVAL if it is no record, or the error of
 * the write. */
int record_write_line(FILE *stream, const json_t *record);

#endif
