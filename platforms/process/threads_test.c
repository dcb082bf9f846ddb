/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "unit_test.h"

static atomic_int over;

static void *sleep_until_over(void *unused)
{
    while (!atomic_load(&over))
        usleep(1000);
    return unused;
}

static void *spin_until_over(void *unused)
{
    while (!atomic_load(&over))
        ;
    return unused;
}

static void *work_for_a_while(void *unused)
{
    for (volatile int i = 0; i < 1000000; i++)
        ;
    return unused;
}

static pthread_t start(void *(*body)(void *))
{
    pthread_t thread;
    atomic_store(&over, 0);
    assert_int_equal(pthread_create(&thread, NULL, body, NULL), 0);
    return thread;
}

static void end(pthread_t thread)
{
    atomic_store(&over, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

TEST(one_alone_is_none)
{
    struct threads_there then;
    struct threads_since since;
    assert_int_equal(threads_running(3), 0);
    assert_int_equal(threads_there(&then), 0);
    assert_int_equal(then.count, 1);
    threads_since(&then, &since);
    assert_int_equal(since.appeared, 0);
    assert_true(since.ended_s < 10e-6);
    threads_there_release(&then);
}

TEST(one_that_sleeps_does_not_run)
{
    pthread_t thread = start(sleep_until_over);
    assert_int_equal(threads_running(20), 0);
    end(thread);
}

TEST(one_that_spins_runs_be_the_machine_busy_or_not)
{
    pthread_t thread = start(spin_until_over);
    assert_int_equal(threads_running(5), 1);
    end(thread);
}

TEST(one_that_came_is_counted)
{
    struct threads_there then;
    struct threads_since since;
    assert_int_equal(threads_there(&then), 0);
    pthread_t thread = start(spin_until_over);
    do
        threads_since(&then, &since);
    while (since.appeared_s < 1e-3); /* until it had a CPU */
    assert_int_equal(since.appeared, 1);
    end(thread);
    threads_there_release(&then);
}

TEST(one_that_came_and_went_is_told_by_its_time)
{
    struct threads_there then;
    struct threads_since since;
    assert_int_equal(threads_there(&then), 0);
    end(start(work_for_a_while));
    threads_since(&then, &since);
    assert_int_equal(since.appeared, 0);
    assert_true(since.ended_s > 100e-6);
    threads_there_release(&then);
}

RUN_TESTS(NULL, NULL)
