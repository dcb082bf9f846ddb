/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/os_entries.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/counters/system.h"
#include "platforms/system/sysfs.h"

/** Readings of nothing from which the cost of begin and end themselves is taken: some may be interrupted, not all. */
enum { EMPTY_READINGS = 16 };

struct tracepoint {
    const char *name;
    const char *event; /* below events/ of tracefs; NULL: the software event */
    uint64_t software; /* PERF_COUNT_SW_… */
};

static const struct tracepoint tracepoints[OS_ENTRIES] = {
    [OS_ENTRY_IRQ] = {"irq", "irq/irq_handler_entry", 0},
    [OS_ENTRY_SOFTIRQ] = {"softirq", "irq/softirq_entry", 0},
    [OS_ENTRY_TIMER] = {"timer", "irq_vectors/local_timer_entry", 0},
    [OS_ENTRY_RESCHEDULE] = {"reschedule", "irq_vectors/reschedule_entry", 0},
    [OS_ENTRY_PAGE_FAULT] = {"page_fault", NULL, PERF_COUNT_SW_PAGE_FAULTS},
    [OS_ENTRY_SYSTEM_CALL] = {"system_call", "raw_syscalls/sys_enter", 0},
    [OS_ENTRY_SWITCH] = {"switch", "sched/sched_switch", 0},
    [OS_ENTRY_NMI] = {"nmi", "nmi/nmi_handler", 0},
};

/** What read() of the group returns. */
struct reading {
    uint64_t count, enabled_ns, running_ns, value[OS_ENTRIES];
};

struct os_entries {
    const struct counters_system *system;
    int fd[OS_ENTRIES];    /* -1: not there; the first open one leads the group */
    int place[OS_ENTRIES]; /* in reading.value */
    int leader, open;
    bool failed; /* a read was short */
    struct reading begin, end;
    struct os_entry_counts empty; /* what begin and end count of themselves */
};

const char *os_entry_name(enum os_entry entry)
{
    return tracepoints[entry].name;
}

uint64_t os_entries_total(const struct os_entry_counts *counts)
{
    uint64_t total = 0;
    for (int e = 0; e < OS_ENTRIES; e++)
        total += counts->of[e] > 0 ? (uint64_t)counts->of[e] : 0;
    return total;
}

static int explain(int status, char *why, size_t size)
{
    switch (status) {
    case -EACCES:
    case -EPERM: snprintf(why, size, "the kernel's tracepoints need root or CAP_PERFMON; run as root (sudo)"); break;
    case -ENOENT:
        snprintf(why, size,
                 "the kernel's tracepoints are not visible; run: sudo mount -t tracefs tracefs /sys/kernel/tracing");
        break;
    case -ENOSYS:
        snprintf(why, size,
                 "perf_event_open is not there; use a kernel with CONFIG_PERF_EVENTS and CONFIG_TRACEPOINTS");
        break;
    default: snprintf(why, size, "the kernel's tracepoints cannot be opened: %s", strerror(-status)); break;
    }
    return status;
}

/** The number under which the kernel knows a tracepoint: in tracefs, or where debugfs shows it. */
static int tracepoint_number(const char *root, const char *event, long *number)
{
    static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
    char path[128];
    int status = -ENOENT;
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && status == -ENOENT; f++) {
        snprintf(path, sizeof path, "%s/events/%s/id", folders[f], event);
        status = sysfs_read_long(root, path, number);
    }
    return status;
}

static int open_one(struct os_entries *entries, enum os_entry entry)
{
    const struct tracepoint *tracepoint = &tracepoints[entry];
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = tracepoint->software};
    attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    long number;
    int status = tracepoint->event ? tracepoint_number(entries->system->root, tracepoint->event, &number) : 0;
    if (status)
        return status;
    if (tracepoint->event) {
        attr.type = PERF_TYPE_TRACEPOINT;
        attr.config = (uint64_t)number;
    }
    return entries->system->perf_event_open(entries->system->context, &attr, 0, -1, entries->leader);
}

/** Open what there is. A tracepoint that this kernel does not have is left out; no tracepoint at all is an error. */
static int open_all(struct os_entries *entries)
{
    int status = -ENOENT, traced = 0;
    for (int e = 0; e < OS_ENTRIES; e++) {
        int fd = open_one(entries, (enum os_entry)e);
        entries->fd[e] = fd < 0 ? -1 : fd;
        if (fd < 0 && fd != -ENOENT)
            return fd;
        if (fd < 0)
            continue;
        if (entries->leader < 0)
            entries->leader = fd;
        entries->place[e] = entries->open++;
        traced += tracepoints[e].event != NULL;
    }
    return traced ? 0 : status;
}

static void read_group(struct os_entries *entries, struct reading *reading)
{
    size_t bytes = (3 + (size_t)entries->open) * sizeof(uint64_t);
    const struct counters_system *system = entries->system;
    if (system->read(system->context, entries->leader, reading, bytes) != (ssize_t)bytes)
        entries->failed = true;
}

void os_entries_begin(struct os_entries *entries)
{
    entries->failed = false;
    read_group(entries, &entries->begin);
}

void os_entries_end(struct os_entries *entries)
{
    read_group(entries, &entries->end);
}

int os_entries_result(const struct os_entries *entries, struct os_entry_counts *counts)
{
    bool counting = !entries->failed && entries->end.enabled_ns - entries->begin.enabled_ns ==
                                            entries->end.running_ns - entries->begin.running_ns;
    for (int e = 0; e < OS_ENTRIES; e++) {
        int place = entries->place[e];
        counts->of[e] = -1;
        if (entries->fd[e] < 0 || !counting)
            continue;
        int64_t more = (int64_t)(entries->end.value[place] - entries->begin.value[place]) - entries->empty.of[e];
        counts->of[e] = more > 0 ? more : 0;
    }
    return counting ? 0 : -EIO;
}

/** The least that begin and end count around nothing. */
static int measure_empty(struct os_entries *entries)
{
    struct os_entry_counts least;
    for (int i = 0; i < EMPTY_READINGS; i++) {
        struct os_entry_counts counts;
        os_entries_begin(entries);
        os_entries_end(entries);
        int status = os_entries_result(entries, &counts);
        if (status)
            return status;
        for (int e = 0; e < OS_ENTRIES; e++)
            least.of[e] = i == 0 || counts.of[e] < least.of[e] ? counts.of[e] : least.of[e];
    }
    for (int e = 0; e < OS_ENTRIES; e++)
        entries->empty.of[e] = least.of[e] > 0 ? least.of[e] : 0;
    return 0;
}

int os_entries_open(const struct counters_system *system, struct os_entries **out, char *why, size_t size)
{
    struct os_entries *entries = calloc(1, sizeof *entries);
    if (!entries)
        return explain(-ENOMEM, why, size);
    entries->system = system;
    entries->leader = -1;
    for (int e = 0; e < OS_ENTRIES; e++)
        entries->fd[e] = -1;
    int status = open_all(entries);
    if (!status)
        status = measure_empty(entries);
    if (status) {
        os_entries_close(entries);
        return explain(status, why, size);
    }
    *out = entries;
    return 0;
}

int os_entries_probe(const struct counters_system *system, char *why, size_t size)
{
    struct os_entries *entries;
    int status = os_entries_open(system, &entries, why, size);
    if (!status)
        os_entries_close(entries);
    return status;
}

void os_entries_close(struct os_entries *entries)
{
    if (!entries)
        return;
    for (int e = OS_ENTRIES - 1; e >= 0; e--) {
        if (entries->fd[e] >= 0)
            entries->system->close(entries->system->context, entries->fd[e]);
    }
    free(entries);
}
