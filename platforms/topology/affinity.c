/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/topology/affinity.h"

#include <errno.h>
#include <stdlib.h>

struct affinity {
    size_t bytes;
    cpu_set_t *set;
};

enum { FIRST_CPUS = 1024, MOST_CPUS = 1 << 22 };

static struct affinity *room_for(size_t cpus)
{
    struct affinity *affinity = malloc(sizeof *affinity);
    if (!affinity)
        return NULL;
    *affinity = (struct affinity){CPU_ALLOC_SIZE(cpus), CPU_ALLOC(cpus)};
    if (affinity->set) {
        CPU_ZERO_S(affinity->bytes, affinity->set);
        return affinity;
    }
    free(affinity);
    return NULL;
}

static void release(struct affinity *affinity)
{
    CPU_FREE(affinity->set);
    free(affinity);
}

int affinity_keep_by(int (*get)(pid_t pid, size_t bytes, cpu_set_t *set), struct affinity **kept)
{
    *kept = NULL;
    for (size_t cpus = FIRST_CPUS; cpus <= MOST_CPUS; cpus *= 2) {
        struct affinity *affinity = room_for(cpus);
        if (!affinity)
            return -ENOMEM;
        if (get(0, affinity->bytes, affinity->set) == 0) {
            *kept = affinity;
            return 0;
        }
        int error = errno;
        release(affinity);
        if (error != EINVAL) /* the set is smaller than the kernel's */
            return 0;
    }
    return 0;
}

int affinity_keep(struct affinity **kept)
{
    return affinity_keep_by(sched_getaffinity, kept);
}

int affinity_restore(struct affinity *affinity)
{
    if (!affinity)
        return 0;
    int error = sched_setaffinity(0, affinity->bytes, affinity->set) == 0 ? 0 : -errno;
    release(affinity);
    return error;
}

int affinity_bind(unsigned cpu)
{
    if (cpu >= MOST_CPUS)
        return -EINVAL;
    struct affinity *one = room_for((size_t)cpu + 1);
    if (!one)
        return -ENOMEM;
    CPU_SET_S(cpu, one->bytes, one->set);
    return affinity_restore(one);
}
