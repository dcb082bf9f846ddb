/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_TEAM_EMULATED_SPEED_H
#define HARNESS_TEAM_EMULATED_SPEED_H

#include <stdint.h>

#include "harness/team/team.h"
#include "platforms/clock/clock.h"

/** Of a member whose speed is emulated, at most this many bytes of weights between two waits. */
enum { EMULATED_BYTES = 32 << 10 };

/** Wait, off the memory, until what began at `begin` (tsc_begin) has taken 1 / speed of its time; speed in (0, 1]. */
static inline void emulated_speed_wait(uint64_t begin, double speed)
{
    uint64_t took = tsc_end().ticks - begin, all = (uint64_t)((double)took / speed);
    while (tsc_end().ticks - begin < all)
        team_relax();
}

#endif
