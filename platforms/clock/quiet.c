/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/clock/quiet.h"

#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

const char *interrupts_undetectable(void)
{
#if defined(__x86_64__)
    return NULL;
#else
    return "aarch64 has no register that shows a return from an interrupt to user code";
#endif
}

/** Time that passed while the thread had no CPU. */
static double off_time(void)
{
    struct timespec passed = {0}, run = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &run);
    clock_gettime(CLOCK_MONOTONIC, &passed);
    return (double)(passed.tv_sec - run.tv_sec) + 1e-9 * (double)(passed.tv_nsec - run.tv_nsec);
}

struct quiet_usage quiet_usage_read(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    return (struct quiet_usage){usage.ru_nvcsw, usage.ru_nivcsw, usage.ru_minflt, usage.ru_majflt, off_time()};
}

struct quiet_usage quiet_usage_since(struct quiet_usage earlier, struct quiet_usage later)
{
    return (struct quiet_usage){
        later.voluntary_switches - earlier.voluntary_switches,
        later.involuntary_switches - earlier.involuntary_switches,
        later.minor_faults - earlier.minor_faults,
        later.major_faults - earlier.major_faults,
        later.off_s - earlier.off_s,
    };
}
