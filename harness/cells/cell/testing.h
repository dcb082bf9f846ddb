/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: cells with samples as if they had been measured. Include cmocka.h before it. */

#include <string.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/summary.h"
#include "unit_test.h"

static inline void assert_near(double value, double expected)
{
    if (!(value >= expected - 1e-9 * (expected < 0 ? -expected : expected) &&
          value <= expected + 1e-9 * (expected < 0 ? -expected : expected)))
        fail_msg("%.12g is not %.12g", value, expected);
}

/** A kept sample of this many seconds at that clock, the chains in agreement. */
static inline struct sample kept_sample(double wall_s, double core_hz)
{
    return (struct sample){.wall_s = wall_s, .core_hz = core_hz, .grade = SAMPLE_CHAIN};
}

static inline void give(struct samples *samples, struct sample sample)
{
    assert_int_equal(samples_append(samples, &sample, 1), 0);
}

static inline void give_many(struct samples *samples, struct sample sample, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        give(samples, sample);
}

static inline double field_number(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    if (!json_is_number(value))
        fail_msg("no number '%s'", field);
    return json_number_value(value);
}

static inline const char *field_text(const json_t *record, const char *field)
{
    const char *text = json_string_value(json_object_get(record, field));
    if (!text)
        fail_msg("no text '%s'", field);
    return text;
}

/** Median of a quantity. */
static inline double field_median(const json_t *record, const char *field)
{
    return field_number(json_object_get(record, field), "median");
}

static inline const char *field_grade(const json_t *record, const char *field)
{
    return field_text(json_object_get(record, field), "grade");
}

static inline void assert_flag(const json_t *record, const char *field, bool expected)
{
    const json_t *value = json_object_get(record, field);
    if (!json_is_boolean(value) || json_is_true(value) != expected)
        fail_msg("'%s' is not %s", field, expected ? "true" : "false");
}

static inline void assert_null_field(const json_t *record, const char *field)
{
    if (!json_is_null(json_object_get(record, field)))
        fail_msg("'%s' is not null", field);
}
