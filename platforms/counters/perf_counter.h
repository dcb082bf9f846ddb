/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "platforms/counters/perf_facts.h"
#include "platforms/counters/perf_page.h"
#include "platforms/counters/quantity.h"
#include "platforms/counters/system.h"

/**
 * One open perf event and its two readings. Read with rdpmc if the kernel allows it for this event, else with read().
 */
struct perf_counter {
    enum counter_quantity quantity;
    int fd;
    struct perf_event_mmap_page *page; /* NULL: read() is used */
    double scale;                      /* counts × scale = the quantity in its unit */
    struct perf_reading begin, end;
};

/** Open an event. The attr's read format is set here. @return 0 or -errno of perf_event_open */
int perf_counter_open(const struct counters_system *system, struct perf_event_attr attr, pid_t pid, int cpu,
                      struct perf_counter *counter);

/**
 * Open the event that counts a quantity of the calling thread on this CPU's core: the generic event (of the extended
 * type where there are several core PMUs), else the PMU's own event of sysfs.
 * @return 0 or -errno; -ENOENT if the PMU has no such event
 */
int perf_counter_open_core(const struct counters_system *system, const struct perf_facts *facts,
                           enum counter_quantity quantity, struct perf_counter *counter);

/**
 * Open the events whose sum is a quantity of the whole machine: memory controllers, packages.
 * @return how many were opened (> 0), -ENOENT without such a PMU, -EACCES…
 */
int perf_counter_open_machine(const struct counters_system *system, enum counter_quantity quantity,
                              struct perf_counter *counters, size_t capacity);

void perf_counter_close(const struct counters_system *system, struct perf_counter *counter);

/** Read through the kernel. */
void perf_counter_read_slow(const struct counters_system *system, int fd, struct perf_reading *reading);

static inline void perf_counter_read(const struct counters_system *system, const struct perf_counter *counter,
                                     struct perf_reading *reading)
{
    if (__builtin_expect(counter->page != NULL, 1))
        perf_page_read(system, counter->page, reading);
    else
        perf_counter_read_slow(system, counter->fd, reading);
}

/**
 * Count between the two readings. Pure.
 * @return true and the count, or false and why: not on the PMU, multiplexed, rdpmc withdrawn…
 */
bool perf_difference(const struct perf_reading *begin, const struct perf_reading *end, double *count, char *why,
                     size_t size);
