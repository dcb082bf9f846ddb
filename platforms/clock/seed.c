/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock/seed.h"

#include <time.h>

uint64_t seed_from_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    uint64_t mixed = ((uint64_t)time.tv_nsec ^ (uint64_t)time.tv_sec << 30) * 0x9e3779b97f4a7c15u;
    return mixed >> 32 | 1;
}
