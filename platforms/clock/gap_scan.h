/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

/**
 * How quiet the CPU is: a loop that does nothing but read the clock. Where two readings lie further apart than the loop
 * takes, something else had the CPU: an interrupt, another task, the hypervisor.
 */

enum { GAP_CLASSES = 4 };

struct gap_scan {
    uint64_t duration_ns; /* first to last reading */
    uint64_t readings;
    uint64_t longest_ns;        /* longest gap, also below a microsecond */
    uint64_t lost_ns;           /* sum of the gaps counted below */
    uint64_t gaps[GAP_CLASSES]; /* from 1 us, from 10 us, from 100 us, from 1 ms on */
};

/** Lower bound of a class, ns: 1000, 10000, 100000, 1000000. */
uint64_t gap_scan_bound_ns(unsigned class);

/**
 * Spin for a while on the calling thread and its CPU.
 *
 * @param wanted_ns  how long
 * @param now_ns     clock in nanoseconds, monotonic; NULL for CLOCK_MONOTONIC_RAW (a test passes its own)
 * @param context    passed to now_ns
 */
struct gap_scan gap_scan_run(uint64_t wanted_ns, uint64_t (*now_ns)(void *context), void *context);
