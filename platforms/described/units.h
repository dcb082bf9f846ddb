/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Units of the numbers in data files: of platforms and of the papers' claims. A number times its unit's factor is in
 * bytes, seconds, core cycles, hertz and so on; ratios and counts have a factor too (a percentage is 0.01).
 */
enum dimension {
    DIMENSION_BANDWIDTH,
    DIMENSION_FREQUENCY,
    DIMENSION_BYTES_PER_CYCLE,
    DIMENSION_CYCLES,
    DIMENSION_TIME,
    DIMENSION_BYTES,
    DIMENSION_BITS_PER_WEIGHT,
    DIMENSION_OPERATIONS, /* a second */
    DIMENSION_TRANSFERS,  /* of a memory bus, a second */
    DIMENSION_TOKENS,     /* a second */
    DIMENSION_POWER,
    DIMENSION_PRICE,
    DIMENSION_PRICE_OF_TIME,
    DIMENSION_PRICE_OF_ENERGY,
    DIMENSION_PERIOD, /* of the calendar */
    DIMENSION_RATIO,  /* also counts and scores */
    DIMENSIONS
};

struct unit {
    const char *name;
    enum dimension dimension;
    double factor;
};

/** NULL for a name that is no unit. */
const struct unit *unit_find(const char *name);

/** Units of a dimension, "GB/s, GiB/s", cut to the size. Returns list. */
const char *unit_names(enum dimension dimension, char *list, size_t size);
