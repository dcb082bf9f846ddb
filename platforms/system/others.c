/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/system/others.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "platforms/system/host.h"

enum { TICKS_ERROR = 2 };

static double clock_s(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void others_begin(const char *root, struct others *others)
{
    struct host_cpu_time time;
    struct host_disturbance disturbance;
    *others = (struct others){.own_s = clock_s(CLOCK_PROCESS_CPUTIME_ID), .clock_s = clock_s(CLOCK_MONOTONIC)};
    if (host_cpu_time_read(root, HOST_ALL_CPUS, &time) || host_disturbance_read(root, &disturbance))
        return;
    others->known = true;
    others->ticks = time.worked + disturbance.steal_ticks;
}

double others_cpus_of(uint64_t ticks, double ticks_per_s, double own_s, double seconds)
{
    double busy_s = ((double)ticks - TICKS_ERROR) / ticks_per_s - own_s;
    return busy_s > 0 && seconds > 0 ? busy_s / seconds : 0;
}

double others_cpus(const char *root, const struct others *begin)
{
    struct others now;
    others_begin(root, &now);
    if (!begin->known || !now.known || now.ticks < begin->ticks)
        return (double)NAN;
    return others_cpus_of(now.ticks - begin->ticks, (double)sysconf(_SC_CLK_TCK), now.own_s - begin->own_s,
                          now.clock_s - begin->clock_s);
}
