/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/records/undersampled.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "results/records/record.h"

/* Plain fields of a record that were computed from one of its quantities. */
static const struct {
    const char *type, *quantity, *fields[9];
} derived[] = {
    {"gamma", "gamma", {"best", "bound", "knee", "uops_per_cycle"}},
    {"gemm", "time_s", {"prepare_share", "residual", "residual_overlap", "residual_operands"}},
    {"gemm", "ops_per_cycle", {"multiply_fraction", "operand_fraction"}},
    {"gemm", "roof_fraction", {"above_roof"}},
    {"gemv", "time_s", {"overlap", "prepare_share", "residual"}},
    {"gemv", "roof_bytes_per_s", {"binds", "overlap", "predicted_s", "predicted_serial_s", "residual"}},
    {"gemv", "roof_fraction", {"above_roof"}},
    {"knee",
     "e_bw",
     {"above_gamma", "above_roof", "distance", "overlap", "predicted", "predicted_serial", "residual",
      "residual_serial"}},
    {"knee",
     "gamma",
     {"above_gamma", "distance", "knee", "overlap", "predicted", "predicted_serial", "residual", "residual_serial"}},
};

/* A flag says that something was seen, which it then was not. */
static int clear(json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    if (!value)
        return 0;
    return json_object_set_new(record, field, json_is_boolean(value) ? json_false() : json_null());
}

static int clear_derived(json_t *record, const char *quantity)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    int error = 0;
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        if (strcmp(derived[i].type, type) != 0 || strcmp(derived[i].quantity, quantity) != 0)
            continue;
        for (size_t f = 0; !error && derived[i].fields[f]; f++)
            error = clear(record, derived[i].fields[f]);
    }
    return error;
}

static bool rests_on_few(const json_t *quantity)
{
    const json_t *n = json_object_get(quantity, "n");
    return json_is_integer(n) && json_integer_value(n) < STATS_KEPT_LEAST &&
           json_is_number(json_object_get(quantity, "median")) && json_object_get(quantity, "unit");
}

static int withhold(json_t *quantity)
{
    static const char *const numbers[] = {"median", "min", "mad", "ci95"};
    int error = 0;
    for (size_t i = 0; !error && i < sizeof numbers / sizeof *numbers; i++)
        error = json_object_set_new(quantity, numbers[i], json_null());
    if (!error)
        error = json_object_set_new(quantity, "why",
                                    record_few_kept((size_t)json_integer_value(json_object_get(quantity, "n"))));
    return error;
}

/** A gamma by the wall's clock is in cycles of a clock that was not read: what was derived from it is unreliable, too. */
static bool lacks_clock(const json_t *record)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    const char *grade = json_string_value(json_object_get(json_object_get(record, "gamma"), "grade"));
    return type && grade && strcmp(type, "gamma") == 0 && strcmp(grade, "wall") == 0;
}

int null_undersampled(json_t *record)
{
    const char *field;
    json_t *value;
    void *next;
    json_object_foreach_safe(record, next, field, value)
    {
        if (rests_on_few(value) && (withhold(value) || clear_derived(record, field)))
            return -ENOMEM;
    }
    return lacks_clock(record) && (clear(record, "bound") || clear(record, "best")) ? -ENOMEM : 0;
}
