/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "platforms/counters/system.h"

/**
 * Reading a counter in user mode through the page that the kernel maps for an event (perf_event_mmap_page).
 *
 * The kernel changes the page when it moves the event, always on the CPU that runs the thread. The page's lock is a
 * sequence count: what was read between two equal values belongs together.
 */

enum perf_state {
    PERF_COUNTED,
    PERF_NOT_COUNTING, /* index 0: the event is not on the PMU now */
    PERF_NO_ACCESS,    /* cap_user_rdpmc is off: rdpmc would fault */
    PERF_UNSTABLE,     /* the page never stood still */
    PERF_READ_FAILED,  /* read(2) failed or came back short */
};

/** One reading of one event. Times are nanoseconds since the event was opened, as the kernel last wrote them. */
struct perf_reading {
    uint64_t count;
    uint64_t enabled_ns, running_ns;
    enum perf_state state;
};

/* The kernel rewrites the page a few times a millisecond at most; a second retry is already rare. */
enum { PERF_PAGE_RETRIES = 64 };

/** Sign-extend a counter of the given width. Counters start at minus the period and count up through zero. */
static inline int64_t perf_sign_extend(uint64_t raw, unsigned width)
{
    unsigned shift = 64 - width;
    return (int64_t)(raw << shift) >> shift;
}

/** Whether rdpmc may be executed for this event at all. */
static inline bool perf_page_is_readable(const volatile struct perf_event_mmap_page *page)
{
    return page->cap_user_rdpmc && page->pmc_width >= 1 && page->pmc_width <= 64;
}

/** One attempt: false if the kernel changed the page meanwhile. */
static inline bool perf_page_try(const struct counters_system *system, const volatile struct perf_event_mmap_page *page,
                                 struct perf_reading *reading)
{
    uint32_t sequence = page->lock;
    __asm__ volatile("" ::: "memory"); /* same CPU as the writer: the compiler alone must keep the order */
    uint32_t index = page->index;
    reading->enabled_ns = page->time_enabled;
    reading->running_ns = page->time_running;
    reading->count = (uint64_t)page->offset;
    reading->state = PERF_COUNTED;
    if (__builtin_expect(!perf_page_is_readable(page), 0))
        reading->state = PERF_NO_ACCESS;
    else if (__builtin_expect(index == 0, 0))
        reading->state = PERF_NOT_COUNTING;
    else
        reading->count += (uint64_t)perf_sign_extend(system->rdpmc(system->context, index - 1), page->pmc_width);
    __asm__ volatile("" ::: "memory");
    return page->lock == sequence && !(sequence & 1);
}

/** Read one event without entering the kernel. */
static inline void perf_page_read(const struct counters_system *system,
                                  const volatile struct perf_event_mmap_page *page, struct perf_reading *reading)
{
    for (int retry = 0; retry < PERF_PAGE_RETRIES; retry++)
        if (__builtin_expect(perf_page_try(system, page, reading), 1))
            return;
    reading->state = PERF_UNSTABLE;
}
