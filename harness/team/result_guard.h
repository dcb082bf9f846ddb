/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_TEAM_RESULT_GUARD_H
#define HARNESS_TEAM_RESULT_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** The memory after results, which must not be written to: who allocates results leaves room for this many bytes more. */
enum { RESULT_GUARD_BYTES = 64 };

static inline void result_guard_set(void *after)
{
    enum { GUARD = 0xc7 };
    memset(after, GUARD, RESULT_GUARD_BYTES);
}

static inline bool result_guard_is_whole(const void *after)
{
    uint8_t whole[RESULT_GUARD_BYTES];
    result_guard_set(whole);
    return memcmp(after, whole, sizeof whole) == 0;
}

#endif
