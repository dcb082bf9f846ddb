/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_CLOCK_SEED_H
#define PLATFORMS_CLOCK_SEED_H

#include <stdint.h>

/** A seed when none was given: another one each time, from the clock; in [1, 2^32), short enough to be typed again. */
uint64_t seed_from_clock(void);

#endif
