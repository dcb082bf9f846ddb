/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/system/cgroup.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/system/sysfs.h"

/* A v1 group without a limit states PAGE_COUNTER_MAX, a huge multiple of the page; no machine has half of that. */
static const uint64_t no_limit_v1 = UINT64_C(1) << 62;

/** How one version names its files. */
struct controller {
    const char *mount;     /* below the root */
    const char *hierarchy; /* in /proc/self/cgroup, between the first and the second colon; "" is version 2 */
    const char *limits[2]; /* files with a limit in bytes; NULL ends */
    const char *usage, *cache_key;
};

static const struct controller memory_controllers[] = {
    {"/sys/fs/cgroup", "", {"memory.max", "memory.high"}, "memory.current", "inactive_file"},
    {"/sys/fs/cgroup/unified", "", {"memory.max", "memory.high"}, "memory.current", "inactive_file"},
    {"/sys/fs/cgroup/memory",
     "memory",
     {"memory.limit_in_bytes", NULL},
     "memory.usage_in_bytes",
     "total_inactive_file"}, /* of version 1 */
};

static const struct controller cpu_controllers[] = {
    {.mount = "/sys/fs/cgroup", .hierarchy = ""},
    {.mount = "/sys/fs/cgroup/unified", .hierarchy = ""},
    {.mount = "/sys/fs/cgroup/cpu", .hierarchy = "cpu"},
    {.mount = "/sys/fs/cgroup/cpu,cpuacct", .hierarchy = "cpu"},
};

/* ---------------------------------------------------------------- walking the groups */

/** Whether a comma-separated list of controllers has a name; the empty list is version 2's "". */
static bool lists(const char *controllers, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = controllers;; at++) {
        const char *end = strchrnul(at, ',');
        if ((size_t)(end - at) == length && memcmp(at, name, length) == 0)
            return true;
        if (*end == '\0')
            return false;
        at = end;
    }
}

/** Path of this process's group in a hierarchy, from a line "4:memory:/path"; "" if it is in none. */
static void find_group(const char *root, const char *hierarchy, char *group, size_t size)
{
    char path[PATH_MAX];
    group[0] = '\0';
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    char *line = NULL;
    size_t capacity = 0;
    while (group[0] == '\0' && getline(&line, &capacity, file) >= 0) {
        char *controllers = strchr(line, ':');
        char *place = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!place)
            continue;
        *place++ = '\0';
        place[strcspn(place, "\n")] = '\0';
        if (lists(controllers + 1, hierarchy))
            snprintf(group, size, "%s", place);
    }
    free(line);
    fclose(file);
}

/**
 * Call visit for the process's group and each one above, up to the mount point. Inside a container the path may lie
 * outside what is mounted; its own limit then stands at the mount point, and missing files are passed over.
 */
static void walk(const char *root, const struct controller *controller,
                 void (*visit)(const char *root, const char *folder, const struct controller *, void *), void *result)
{
    char group[PATH_MAX / 2], folder[PATH_MAX];
    find_group(root, controller->hierarchy, group, sizeof group);
    if (group[0] == '\0')
        return;
    for (;;) {
        size_t length = strlen(group);
        while (length > 0 && group[length - 1] == '/')
            group[--length] = '\0';
        snprintf(folder, sizeof folder, "%s%s", controller->mount, group);
        visit(root, folder, controller, result);
        char *parent = strrchr(group, '/');
        if (!parent)
            return;
        *parent = '\0';
    }
}

/* ---------------------------------------------------------------- memory */

static int read_bytes(const char *root, const char *folder, const char *file, uint64_t *bytes)
{
    char path[PATH_MAX], text[64];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return -ENAMETOOLONG;
    int error = sysfs_read_text(root, path, text, sizeof text);
    if (error != 0)
        return error;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0')
        return -EINVAL; /* "max" among others: no limit */
    *bytes = value;
    return 0;
}

static uint64_t limit_of(const char *root, const char *folder, const struct controller *controller)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 2 && controller->limits[i]; i++) {
        uint64_t limit;
        if (read_bytes(root, folder, controller->limits[i], &limit) == 0 && limit < no_limit_v1 && limit < least)
            least = limit;
    }
    return least;
}

static void least_limit(const char *root, const char *folder, const struct controller *controller, void *result)
{
    uint64_t *least = result;
    uint64_t limit = limit_of(root, folder, controller);
    if (limit < *least)
        *least = limit;
}

static void least_available(const char *root, const char *folder, const struct controller *controller, void *result)
{
    uint64_t *least = result;
    uint64_t limit = limit_of(root, folder, controller), usage = 0, cache = 0;
    if (limit == UINT64_MAX)
        return;
    char path[PATH_MAX];
    if (read_bytes(root, folder, controller->usage, &usage) != 0 ||
        snprintf(path, sizeof path, "%s/memory.stat", folder) >= (int)sizeof path)
        usage = 0;
    else if (sysfs_read_field_u64(root, path, controller->cache_key, &cache) == 0)
        usage -= cache < usage ? cache : usage;
    uint64_t available = limit > usage ? limit - usage : 0;
    if (available < *least)
        *least = available;
}

uint64_t cgroup_memory_available(const char *root)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sizeof memory_controllers / sizeof memory_controllers[0]; i++)
        walk(root, &memory_controllers[i], least_available, &least);
    return least;
}

uint64_t cgroup_memory_limit(const char *root)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sizeof memory_controllers / sizeof memory_controllers[0]; i++)
        walk(root, &memory_controllers[i], least_limit, &least);
    return least;
}

/* ---------------------------------------------------------------- CPU quota */

/** v2: cpu.max "200000 100000", v1: two files. Microseconds of CPU time a period. */
static bool read_quota(const char *root, const char *folder, long *quota_us, long *period_us)
{
    char path[PATH_MAX], text[64];
    if (snprintf(path, sizeof path, "%s/cpu.max", folder) < (int)sizeof path &&
        sysfs_read_text(root, path, text, sizeof text) == 0)
        return sscanf(text, "%ld %ld", quota_us, period_us) == 2;
    if (snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder) >= (int)sizeof path ||
        sysfs_read_long(root, path, quota_us) != 0)
        return false;
    return snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder) < (int)sizeof path &&
           sysfs_read_long(root, path, period_us) == 0;
}

static void least_quota(const char *root, const char *folder, const struct controller *controller, void *result)
{
    double *least_cores = result;
    long quota_us = 0, period_us = 0;
    (void)controller;
    if (!read_quota(root, folder, &quota_us, &period_us) || quota_us <= 0 || period_us <= 0)
        return;
    double cores = (double)quota_us / (double)period_us;
    if (*least_cores < 0 || cores < *least_cores)
        *least_cores = cores;
}

double cgroup_cpu_quota_cores(const char *root)
{
    double least_cores = -1;
    for (size_t i = 0; i < sizeof cpu_controllers / sizeof cpu_controllers[0]; i++)
        walk(root, &cpu_controllers[i], least_quota, &least_cores);
    return least_cores;
}
