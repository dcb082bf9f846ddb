/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Threads of this process, as the system counts them, whatever started them. */

/** Threads other than the calling one that run, or wait for a CPU, every time one looks: so often, a millisecond apart. */
unsigned threads_running(unsigned looks);

/** Those that there are at a time. */
struct threads_there {
    long *id;
    size_t count;
    uint64_t ended_ns; /* on a CPU, of those that had ended */
};

/** 0 or -ENOMEM; a system that does not say has none. */
int threads_there(struct threads_there *there);
void threads_there_release(struct threads_there *there);

/**
 * What came since then, and how long it was on a CPU. It looks several times, a millisecond apart, when other threads that were at work sleep again, and
 * takes the least: `ended_s` is then right to some microseconds, also where this thread is interrupted between two clocks.
 */
struct threads_since {
    unsigned appeared; /* that are still there */
    double appeared_s, ended_s;
};
void threads_since(const struct threads_there *then, struct threads_since *since);
