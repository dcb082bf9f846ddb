/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alone: threads wait for each other until all have a CPU.
 *
 * The barrier of futexes and the team of OpenMP.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/join.h"
#include "unit_test.h"

enum { THREADS = 3, ROUNDS = 300 };

struct meeting {
    struct futex_barrier barrier;
    atomic_uint come[ROUNDS];
    atomic_uint early;
};

static void *meet(void *context)
{
    struct meeting *meeting = context;
    for (unsigned round = 0; round < ROUNDS; round++) {
        atomic_fetch_add(&meeting->come[round], 1);
        futex_barrier_wait(&meeting->barrier);
        if (atomic_load(&meeting->come[round]) != THREADS)
            atomic_fetch_add(&meeting->early, 1);
    }
    return NULL;
}

TEST(nobody_leaves_the_barrier_early)
{
    pthread_t threads[THREADS - 1];
    struct meeting *meeting = aligned_alloc(64, (sizeof *meeting + 63) / 64 * 64);
    assert_non_null(meeting);
    memset(meeting, 0, sizeof *meeting);
    futex_barrier_open(&meeting->barrier, THREADS);
    for (size_t i = 0; i < THREADS - 1; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, meet, meeting), 0);
    meet(meeting);
    for (size_t i = 0; i < THREADS - 1; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&meeting->early), 0);
    free(meeting);
}

static void count(void *context)
{
    atomic_fetch_add((atomic_uint *)context, 1);
}

TEST(regions_have_all_their_threads)
{
    cpu_set_t allowed;
    unsigned first = 0;
    sched_getaffinity(0, sizeof allowed, &allowed);
    while (!CPU_ISSET(first, &allowed))
        first++;
    unsigned cpus[2] = {first, first}; /* on one CPU: it only takes longer */
    struct openmp *openmp;
    char why[256];
    atomic_uint calls = 0;
    int error = openmp_open(&openmp, cpus, 2, why, sizeof why);
    if (error) {
        assert_int_equal(error, -ENOTSUP);
        assert_non_null(strstr(why, "libgomp"));
        print_message("# not on this machine: %s\n", why);
        skip();
    }
    assert_int_equal(openmp_threads(openmp), 2);
    for (int i = 0; i < 20; i++)
        openmp_parallel(openmp, count, &calls);
    assert_int_equal(atomic_load(&calls), 40);
    openmp_close(openmp);
}

RUN_TESTS(NULL, NULL)
