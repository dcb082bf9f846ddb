/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_TEAM_FUTEX_BARRIER_H
#define HARNESS_TEAM_FUTEX_BARRIER_H

#include <stdatomic.h>

/** A barrier whose members sleep in the kernel until the last one has come, as threads do that leave their cores to others. */
struct futex_barrier {
    unsigned threads;
    _Alignas(64) atomic_uint arrived;
    _Alignas(64) atomic_uint phase;
};

void futex_barrier_open(struct futex_barrier *barrier, unsigned threads);

/** Wait until every thread has come. */
void futex_barrier_wait(struct futex_barrier *barrier);

#endif
