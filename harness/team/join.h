/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

/**
 * The team of GNU OpenMP (libgomp), looked for when it is wanted: what the code that gcc makes of `#pragma omp parallel`
 * calls, so that a fork and join costs what it costs there. Its threads spin between two regions for as long as
 * OMP_WAIT_POLICY and GOMP_SPINCOUNT say, and sleep then.
 */
struct openmp;

/**
 * @param cpus  that thread i of each region is bound to; the first is where the calling thread runs already
 * @return 0; -ENOTSUP with the reason: there is no libgomp; -ENOMEM
 */
int openmp_open(struct openmp **openmp, const unsigned *cpus, unsigned threads, char *why, size_t size);

/** One region: fork, each thread calls work(context), join. */
void openmp_parallel(struct openmp *openmp, void (*work)(void *context), void *context);

/** How many threads were there in the regions so far, at least. */
unsigned openmp_threads(const struct openmp *openmp);

/** Its threads end. */
void openmp_close(struct openmp *openmp);

/** A barrier whose members sleep in the kernel until the last one has come, as threads do that leave their cores to others. */
struct futex_barrier {
    unsigned threads;
    _Alignas(64) atomic_uint arrived;
    _Alignas(64) atomic_uint phase;
};

void futex_barrier_open(struct futex_barrier *barrier, unsigned threads);

/** Wait until every thread has come. */
void futex_barrier_wait(struct futex_barrier *barrier);
