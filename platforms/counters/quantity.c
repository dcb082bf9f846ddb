/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *counter_quantity_name(enum counter_quantity quantity)
{
    static const char *const names[COUNTER_QUANTITIES] = {
        "core_cycles",     "reference_cycles", "instructions",     "llc_misses",
        "dram_read_bytes", "dram_write_bytes", "package_energy_j",
    };
    return names[quantity];
}

const char *counter_grade_name(enum counter_grade grade)
{
    static const char *const names[] = {"unavailable", "estimated", "measured"};
    return names[grade];
}

void value_unavailable(struct counter_value *value, const char *format, ...)
{
    va_list arguments;
    *value = (struct counter_value){.grade = COUNTER_UNAVAILABLE, .value = NAN};
    va_start(arguments, format);
    vsnprintf(value->reason, sizeof value->reason, format, arguments);
    va_end(arguments);
}

double counters_difference(const struct counters_sample *a, const struct counters_sample *b,
                           enum counter_quantity quantity)
{
    const struct counter_value *first = &a->of[quantity], *second = &b->of[quantity];
    if (first->grade == COUNTER_UNAVAILABLE || second->grade == COUNTER_UNAVAILABLE || first->value == 0)
        return NAN;
    return (second->value - first->value) / first->value;
}
