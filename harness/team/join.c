/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/join.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void parallel_function(void (*work)(void *context), void *context, unsigned threads, unsigned flags);
typedef int number_function(void);
typedef int pause_function(int kind);

/** omp_pause_hard of omp.h. */
enum { PAUSE_HARD = 2 };

struct openmp {
    void *library;
    parallel_function *parallel;
    number_function *number;
    pause_function *pause; /* NULL before OpenMP 5 */
    const unsigned *cpus;
    unsigned threads;
    atomic_uint bound;
};

/** A function of the library; ISO C has no cast from an object to a function. */
static void look_up(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static void bind_one(void *context)
{
    struct openmp *openmp = context;
    int number = openmp->number();
    cpu_set_t *set = CPU_ALLOC(CPU_SETSIZE * 8);
    size_t size = CPU_ALLOC_SIZE(CPU_SETSIZE * 8);
    if (number < 0 || (unsigned)number >= openmp->threads || !set)
        return;
    CPU_ZERO_S(size, set);
    CPU_SET_S(openmp->cpus[number], size, set);
    if (sched_setaffinity(0, size, set) == 0)
        atomic_fetch_add(&openmp->bound, 1);
    CPU_FREE(set);
}

int openmp_open(struct openmp **result, const unsigned *cpus, unsigned threads, char *why, size_t size)
{
    struct openmp *openmp = calloc(1, sizeof *openmp);
    if (!openmp) {
        snprintf(why, size, "no memory");
        return -ENOMEM;
    }
    openmp->cpus = cpus;
    openmp->threads = threads;
    openmp->library = dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL);
    if (openmp->library) {
        look_up(openmp->library, "GOMP_parallel", &openmp->parallel);
        look_up(openmp->library, "omp_get_thread_num", &openmp->number);
        look_up(openmp->library, "omp_pause_resource_all", &openmp->pause);
    }
    if (!openmp->parallel || !openmp->number) {
        snprintf(why, size, "GNU OpenMP (libgomp.so.1) is missing: install libgomp1 (Debian)");
        openmp_close(openmp);
        return -ENOTSUP;
    }
    openmp_parallel(openmp, bind_one, openmp);
    if (openmp_threads(openmp) < threads) {
        snprintf(why, size, "OpenMP gave %u of %u threads; unset OMP_THREAD_LIMIT and OMP_DYNAMIC",
                 openmp_threads(openmp), threads);
        openmp_close(openmp);
        return -ENOTSUP;
    }
    *result = openmp;
    return 0;
}

void openmp_parallel(struct openmp *openmp, void (*work)(void *context), void *context)
{
    openmp->parallel(work, context, openmp->threads, 0);
}

unsigned openmp_threads(const struct openmp *openmp)
{
    return atomic_load(&openmp->bound);
}

void openmp_close(struct openmp *openmp)
{
    if (!openmp)
        return;
    if (openmp->pause)
        openmp->pause(PAUSE_HARD);
    /* the library stays: a thread of it may still be on its way out */
    free(openmp);
}

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
