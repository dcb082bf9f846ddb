/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct format;
struct sequence;

/** What weights in a pool are of: a format, or a sequence; random bytes if both are NULL. */
struct session_pool_filling {
    const struct format *format;
    size_t k; /* of the panels of a format that is not uniform */
    const struct sequence *sequence;
};

/** One stretch of such weights, which every place of every member's pool is a copy of. */
struct session_pool_drawn {
    struct session_pool_filling of;
    bool wanted; /* else any bytes will do, and nothing is copied */
    uint8_t *stretch;
    size_t length; /* of the stretch, whole units and lines */
};

/** Written at a time. */
enum { SESSION_POOL_CHUNK_BYTES = 256 << 10 };

/** How much of a member's block holds them: its first bytes, and the chunks that are marked. */
struct session_pool_held {
    size_t bytes;
    uint8_t *chunk; /* [chunks] */
    size_t chunks;
};

/** What of its pool a member is going to read. */
struct session_pool_need {
    size_t bytes; /* from its beginning on; SIZE_MAX: all of it */
    bool places;  /* and what session_cold_weights gives */
};
