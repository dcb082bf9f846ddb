/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests that give no --seed: what is drawn is the same each time, unless KNEEPOINT_CLOCK_SEED has the program take the clock's.
 */
#include <stdlib.h>

#include "platforms/clock/seed.h"

uint64_t __real_seed_from_clock(void);
uint64_t __wrap_seed_from_clock(void);

uint64_t __wrap_seed_from_clock(void)
{
    return getenv("KNEEPOINT_CLOCK_SEED") ? __real_seed_from_clock() : 1;
}
