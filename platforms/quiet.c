/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/quiet.h"

#include <stddef.h>
#include <sys/resource.h>

const char *interrupts_undetectable(void)
{
#if defined(__x86_64__)
    return NULL;
#else
    return "aarch64 has no register that shows a return from an interrupt to user code";
#endif
}

struct quiet_usage quiet_usage_read(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    return (struct quiet_usage){usage.ru_nvcsw, usage.ru_nivcsw, usage.ru_minflt, usage.ru_majflt};
}

struct quiet_usage quiet_usage_since(struct quiet_usage earlier, struct quiet_usage later)
{
    return (struct quiet_usage){
        later.voluntary_switches - earlier.voluntary_switches,
        later.involuntary_switches - earlier.involuntary_switches,
        later.minor_faults - earlier.minor_faults,
        later.major_faults - earlier.major_faults,
    };
}
