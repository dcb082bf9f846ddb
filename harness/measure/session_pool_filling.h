/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MEASURE_SESSION_POOL_FILLING_H
#define HARNESS_MEASURE_SESSION_POOL_FILLING_H

#include <stddef.h>

struct format;
struct sequence;

/**
 * What the first `bytes` of a member's block of the pool hold: units of a format, or weights of a sequence, or random
 * bytes if both are NULL.
 */
struct session_pool_filling {
    const struct format *format;
    size_t k; /* of the panels of a format that is not uniform */
    const struct sequence *sequence;
    size_t bytes;
};

#endif
