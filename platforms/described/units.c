/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/described/units.h"

#include <stdio.h>
#include <string.h>

enum { HOUR_S = 3600 };

static const struct unit units[] = {
    {"B/s", DIMENSION_BANDWIDTH, 1},
    {"GB/s", DIMENSION_BANDWIDTH, 1e9},
    {"GiB/s", DIMENSION_BANDWIDTH, 1024.0 * 1024 * 1024},
    {"TB/s", DIMENSION_BANDWIDTH, 1e12},
    {"Hz", DIMENSION_FREQUENCY, 1},
    {"MHz", DIMENSION_FREQUENCY, 1e6},
    {"GHz", DIMENSION_FREQUENCY, 1e9},
    {"B/cycle", DIMENSION_BYTES_PER_CYCLE, 1},
    {"cycles", DIMENSION_CYCLES, 1},
    {"s", DIMENSION_TIME, 1},
    {"ms", DIMENSION_TIME, 1e-3},
    {"us", DIMENSION_TIME, 1e-6},
    {"ns", DIMENSION_TIME, 1e-9},
    {"B", DIMENSION_BYTES, 1},
    {"GB", DIMENSION_BYTES, 1e9},
    {"GiB", DIMENSION_BYTES, 1024.0 * 1024 * 1024},
    {"bit", DIMENSION_BITS_PER_WEIGHT, 1},
    {"TOPS", DIMENSION_OPERATIONS, 1e12},
    {"TFLOPS", DIMENSION_OPERATIONS, 1e12},
    {"MT/s", DIMENSION_TRANSFERS, 1e6},
    {"tok/s", DIMENSION_TOKENS, 1},
    {"W", DIMENSION_POWER, 1},
    {"$", DIMENSION_PRICE, 1},
    {"$/h", DIMENSION_PRICE_OF_TIME, 1.0 / HOUR_S},
    {"$/kWh", DIMENSION_PRICE_OF_ENERGY, 1 / (1e3 * HOUR_S)},
    {"x", DIMENSION_RATIO, 1},
    {"1", DIMENSION_RATIO, 1},
    {"%", DIMENSION_RATIO, 0.01},
    {"billion", DIMENSION_RATIO, 1e9},
    {"years", DIMENSION_PERIOD, 365.0 * 24 * HOUR_S},
};

enum { UNIT_COUNT = sizeof units / sizeof *units };

const struct unit *unit_find(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

const char *unit_names(enum dimension dimension, char *list, size_t size)
{
    size_t used = 0;
    if (size > 0)
        list[0] = '\0';
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (units[i].dimension == dimension && used < size)
            used += (size_t)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", units[i].name);
    }
    return list;
}
