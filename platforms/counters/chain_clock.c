/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/chain_clock.h"

#include <errno.h>
#include <stdio.h>

#include "platforms/clock/clock.h"
#include "platforms/counters/system.h"

static int chain_clock(void *context, double *core_hz, char *why, size_t size)
{
    const struct counters_chain *chain = context;
    struct clock_reading reading = clock_read(&chain->clock);
    *core_hz = reading.imul_hz;
    if (reading.agrees)
        return 0;
    if (!(reading.imul_hz > 0 && reading.add_hz > 0))
        snprintf(why, size, "a chain could not be timed");
    else
        clock_disagreement(&reading, why, size);
    return -ERANGE;
}

void counters_system_host_with_chain(struct counters_system *system, struct counters_chain *chain)
{
    counters_system_host(system);
    system->context = chain; /* only chain_clock looks at it */
    system->chain_clock = chain_clock;
}
