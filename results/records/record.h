/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "results/statistics/best_of.h"
#include "results/statistics/stats.h"

/**
 * Records are JSON objects, one a line, the same on standard output and in records.jsonl.
 *
 * A quantity is {"median":…,"min":…,"mad":…,"ci95":[…,…],"n":…,"rejected":…,"unit":"…","grade":"…"}. One that rests on
 * fewer than STATS_KEPT_LEAST kept samples has null for its four numbers, and "why":"3 kept, 6 needed"; an absent one is
 * null beside a "<name>_reason" string. Grades: "pmu", "chain", "wall", "model", "count".
 *
 * Errors: 0 or negative errno; NULL for pointers.
 */

/** JSON quantity of a summary; JSON null for one of nothing, neither kept nor rejected. New reference; NULL without
 * memory or for a non-finite field of enough samples. */
json_t *record_quantity(const struct summary *summary, const char *unit, const char *grade);

/** A text, null for "". New reference, NULL without memory. */
json_t *record_text_or_null(const char *text);

/** A number, null where it is not finite. New reference, NULL without memory. */
static inline json_t *record_number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/** "3 kept, 6 needed", why a quantity has no numbers. New reference, NULL without memory. */
json_t *record_few_kept(size_t kept);

/**
 * Read a quantity back; max is not recorded and comes back as NaN.
 * @return 0; -ENOENT if the field is absent or null; -ENODATA if fewer than STATS_KEPT_LEAST samples were kept, with n
 *         and rejected set and NaN for the rest; -EINVAL if it is malformed
 */
int record_quantity_read(const json_t *record, const char *field, struct summary *summary);

/**
 * Say in a quantity what its halves are, "halves":[{"median":…,"ci95":[…,…],"n":…},{…}], the one that chooses first;
 * nothing where they cannot compete. @return 0 or -ENOMEM
 */
int record_set_halves(json_t *quantity, const struct best_of_half halves[HALVES]);

/** Read them back. @return whether they are there and can compete */
bool record_halves_read(const json_t *record, const char *field, struct best_of_half halves[HALVES]);

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

/** A field of a record: "" or 0 where it is absent or of another type. */
static inline const char *record_text(const json_t *record, const char *field)
{
    const char *value = json_string_value(json_object_get(record, field));
    return value ? value : "";
}

static inline double record_number(const json_t *record, const char *field)
{
    return json_number_value(json_object_get(record, field));
}

/** The same of a number that may be null, which is not 0: NaN. */
static inline double record_number_or_nan(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/** A count, such as threads: 0 where it is absent or nothing that can be counted, as in a file written by hand. */
static inline unsigned record_count(const json_t *record, const char *field)
{
    double value = record_number(record, field);
    return value >= 0 && value <= UINT_MAX ? (unsigned)value : 0;
}
