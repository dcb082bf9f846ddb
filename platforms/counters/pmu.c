/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/pmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/system/sysfs.h"

#define EVENT_SOURCES "/sys/bus/event_source/devices"

/* One file of one PMU; the name may hold a folder. */
static int pmu_file(const char *root, const char *pmu, const char *file, char *line, size_t size)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, EVENT_SOURCES "/%s/%s", pmu, file) >= (int)sizeof path)
        return -ENAMETOOLONG;
    return sysfs_read_text(root, path, line, size);
}

static DIR *open_event_sources(const char *root)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s" EVENT_SOURCES, root) >= (int)sizeof path)
        return NULL;
    return opendir(path);
}

bool pmu_sysfs_is_visible(const char *root)
{
    DIR *folder = open_event_sources(root);
    if (!folder)
        return false;
    closedir(folder);
    return true;
}

int cpu_list_parse(const char *list, unsigned *cpus, size_t capacity)
{
    size_t count = 0;
    const char *at = list;
    while (*at) {
        char *end;
        if (!isdigit((unsigned char)*at))
            return -EINVAL;
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-') {
            if (!isdigit((unsigned char)end[1]))
                return -EINVAL;
            last = strtoul(end + 1, &end, 10);
        }
        if (last < first || last > INT_MAX / 2 || (*end && *end != ','))
            return -EINVAL;
        for (unsigned long cpu = first; cpu <= last; cpu++, count++)
            if (count < capacity)
                cpus[count] = (unsigned)cpu;
        at = *end ? end + 1 : end;
    }
    return (int)count;
}

bool cpu_list_contains(const char *list, unsigned cpu)
{
    for (const char *at = list; isdigit((unsigned char)*at);) {
        char *end;
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (cpu >= first && cpu <= last)
            return true;
        if (*end != ',')
            return false;
        at = end + 1;
    }
    return false;
}

static int pmu_open(const char *root, const char *name, struct pmu *pmu)
{
    char line[64], *end;
    if (strlen(name) >= sizeof pmu->name)
        return -ENAMETOOLONG;
    int status = pmu_file(root, name, "type", line, sizeof line);
    if (status)
        return status;
    unsigned long type = strtoul(line, &end, 10);
    if (end == line || *end || type > UINT32_MAX)
        return -EINVAL;
    snprintf(pmu->name, sizeof pmu->name, "%s", name);
    pmu->type = (uint32_t)type;
    return 0;
}

int pmu_of_core(const char *root, unsigned cpu, struct pmu *pmu, unsigned *core_pmus)
{
    int status = -ENOENT;
    *core_pmus = 0;
    DIR *folder = open_event_sources(root);
    if (!folder)
        return -ENOENT;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char cpus[4096];
        /* Only core PMUs have a cpus file; the one PMU of a homogeneous x86 is called cpu and has none. */
        bool has_cpus = pmu_file(root, entry->d_name, "cpus", cpus, sizeof cpus) == 0;
        if (entry->d_name[0] == '.' || (!has_cpus && strcmp(entry->d_name, "cpu") != 0))
            continue;
        ++*core_pmus;
        if (!has_cpus || cpu_list_contains(cpus, cpu))
            status = pmu_open(root, entry->d_name, pmu);
    }
    closedir(folder);
    return status;
}

/* Number after `prefix_`; -1 for the bare prefix, -2 for another name. */
static int instance_of(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return -2;
    if (!name[length])
        return -1;
    if (name[length] != '_' || !isdigit((unsigned char)name[length + 1]))
        return -2;
    char *end;
    long number = strtol(name + length + 1, &end, 10);
    return *end || number > INT_MAX ? -2 : (int)number;
}

size_t pmu_find(const char *root, const char *prefix, struct pmu *pmus, size_t capacity)
{
    size_t count = 0;
    DIR *folder = open_event_sources(root);
    if (!folder)
        return 0;
    for (struct dirent *entry; count < capacity && (entry = readdir(folder));) {
        int number = instance_of(entry->d_name, prefix);
        if (number < -1 || pmu_open(root, entry->d_name, &pmus[count]) != 0)
            continue;
        size_t at = count++;
        for (; at > 0 && instance_of(pmus[at - 1].name, prefix) > number; at--) {
            struct pmu later = pmus[at - 1];
            pmus[at - 1] = pmus[at];
            pmus[at] = later;
        }
    }
    closedir(folder);
    return count;
}

int pmu_cpumask(const char *root, const struct pmu *pmu, unsigned *cpus, size_t capacity)
{
    char line[4096];
    int status = pmu_file(root, pmu->name, "cpumask", line, sizeof line);
    if (status)
        return status;
    int count = cpu_list_parse(line, cpus, capacity);
    return count > (int)capacity ? (int)capacity : count;
}

/* Spread a value over the bit ranges of a format, lowest first: "config:0-7,32-35". */
static int place_value(const char *format, uint64_t value, struct pmu_event *event)
{
    uint64_t *word;
    if (strncmp(format, "config:", 7) == 0)
        word = &event->config, format += 7;
    else if (strncmp(format, "config1:", 8) == 0)
        word = &event->config1, format += 8;
    else if (strncmp(format, "config2:", 8) == 0)
        word = &event->config2, format += 8;
    else
        return -EINVAL;
    while (isdigit((unsigned char)*format)) {
        char *end;
        unsigned long low = strtoul(format, &end, 10), high = low;
        if (*end == '-')
            high = strtoul(end + 1, &end, 10);
        if (high > 63 || high < low)
            return -EINVAL;
        for (unsigned long bit = low; bit <= high; bit++, value >>= 1)
            *word |= (value & 1) << bit;
        format = *end == ',' ? end + 1 : end;
    }
    return *format || value ? -EINVAL : 0;
}

/* "event=0x04,umask=0x03": each term through its format file; a bare term means 1. */
static int encode_terms(const char *root, const struct pmu *pmu, char *terms, struct pmu_event *event)
{
    char *rest = terms;
    for (char *term; (term = strsep(&rest, ","));) {
        char file[96], format[64], *end;
        char *equals = strchr(term, '=');
        uint64_t value = 1;
        if (equals) {
            *equals = '\0';
            value = strtoull(equals + 1, &end, 0);
            if (end == equals + 1 || *end)
                return -EINVAL;
        }
        if (snprintf(file, sizeof file, "format/%s", term) >= (int)sizeof file ||
            pmu_file(root, pmu->name, file, format, sizeof format) != 0 || place_value(format, value, event) != 0)
            return -EINVAL;
    }
    return 0;
}

int pmu_event_read(const char *root, const struct pmu *pmu, const char *name, struct pmu_event *event)
{
    char file[128], terms[256], line[64], *end;
    *event = (struct pmu_event){.scale = 1};
    snprintf(file, sizeof file, "events/%s", name);
    int status = pmu_file(root, pmu->name, file, terms, sizeof terms);
    if (status)
        return status;
    status = encode_terms(root, pmu, terms, event);
    if (status)
        return status;
    snprintf(file, sizeof file, "events/%s.scale", name);
    if (pmu_file(root, pmu->name, file, line, sizeof line) == 0) {
        event->scale = strtod(line, &end);
        if (end == line || !(event->scale > 0))
            return -EINVAL;
    }
    snprintf(file, sizeof file, "events/%s.unit", name);
    if (pmu_file(root, pmu->name, file, line, sizeof line) == 0)
        snprintf(event->unit, sizeof event->unit, "%.15s", line);
    return 0;
}
