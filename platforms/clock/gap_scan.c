/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock/gap_scan.h"

#include <stddef.h>
#include <time.h>

uint64_t gap_scan_bound_ns(unsigned class)
{
    uint64_t bound_ns = 1000;
    for (unsigned i = 0; i < class; i++)
        bound_ns *= 10;
    return bound_ns;
}

static uint64_t system_clock_ns(void *context)
{
    struct timespec time;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void count(struct gap_scan *scan, uint64_t gap_ns)
{
    if (gap_ns > scan->longest_ns)
        scan->longest_ns = gap_ns;
    if (gap_ns < gap_scan_bound_ns(0))
        return;
    unsigned class = 0;
    while (class + 1 < GAP_CLASSES && gap_ns >= gap_scan_bound_ns(class + 1))
        class ++;
    scan->gaps[class]++;
    scan->lost_ns += gap_ns;
}

struct gap_scan gap_scan_run(uint64_t wanted_ns, uint64_t (*now_ns)(void *context), void *context)
{
    struct gap_scan scan = {.readings = 1};
    if (!now_ns)
        now_ns = system_clock_ns;
    uint64_t first_ns = now_ns(context), last_ns = first_ns;
    while (last_ns - first_ns < wanted_ns) {
        uint64_t time_ns = now_ns(context);
        scan.readings++;
        count(&scan, time_ns - last_ns);
        last_ns = time_ns;
    }
    scan.duration_ns = last_ns - first_ns;
    return scan;
}
