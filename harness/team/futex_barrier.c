/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/futex_barrier.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

void futex_barrier_open(struct futex_barrier *barrier, unsigned threads)
{
    barrier->threads = threads;
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->phase, 0);
}

void futex_barrier_wait(struct futex_barrier *barrier)
{
    unsigned phase = atomic_load_explicit(&barrier->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == barrier->threads) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&barrier->phase, phase + 1, memory_order_release);
        syscall(SYS_futex, &barrier->phase, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
        return;
    }
    while (atomic_load_explicit(&barrier->phase, memory_order_acquire) == phase)
        syscall(SYS_futex, &barrier->phase, FUTEX_WAIT_PRIVATE, phase, NULL, NULL, 0);
}
