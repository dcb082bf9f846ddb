/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platforms/process/refused_call.h"
#include "unit_test.h"

/** In which a process that works beats many times, be the machine as busy as it may. */
enum { LONG_MS = 60000, SHORT_MS = 200 };

static struct worker_result run(void (*body)(void *, struct worker *), void *context, unsigned limit_ms,
                                const volatile int *stop)
{
    const struct worker_job job = {.body = body, .context = context, .limit_ms = limit_ms, .stop = stop};
    struct worker_result result;
    worker_run(&job, &result);
    return result;
}

static void answer(void *context, struct worker *worker)
{
    int more = *(const int *)context + 1;
    printf("out ");
    fflush(stdout);
    fprintf(stderr, "err");
    worker_send(worker, NULL, 0); /* as of a cell that kept no sample */
    worker_send(worker, &more, sizeof more);
    worker_send(worker, "!", 1);
}

TEST(a_report_comes_back_with_what_was_printed)
{
    int given = 41, got;
    struct worker_result result = run(answer, &given, LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_RETURNED);
    assert_int_equal(result.report_bytes, sizeof got + 1);
    memcpy(&got, result.report, sizeof got);
    assert_int_equal(got, 42);
    assert_int_equal(result.report[sizeof got], '!');
    assert_string_equal(result.printed, "out err");
    free(result.report);
}

/** Under a sanitizer an allocation that is too large fails as elsewhere, too. */
const char *__asan_default_options(void), *__tsan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return __asan_default_options();
}

static void send_too_much(void *context, struct worker *worker)
{
    worker_send(worker, context, PTRDIFF_MAX / 2);
}

TEST(a_report_without_memory_is_not_what_ran)
{
    struct worker_result result = run(send_too_much, "", LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_LOST);
    assert_int_equal(result.detail, ENOMEM);
    assert_null(result.report);
}

static void send_in_vain(void *context, struct worker *worker)
{
    worker_send(worker, context, 1);
    if (!refuse_call(SYS_write, EIO))
        _exit(77);
}

TEST(a_report_that_cannot_be_sent_is_not_what_ran)
{
    struct worker_result result = run(send_in_vain, "", LONG_MS, NULL);
    skip_if(result.outcome == WORKER_EXITED && result.detail == 77, "not on this machine: no filters of system calls");
    assert_int_equal(result.outcome, WORKER_LOST);
    assert_int_equal(result.detail, EIO);
    assert_null(result.report);
}

static void close_all(void *context, struct worker *worker)
{
    worker_send(worker, context, 1);
    for (int descriptor = 3; descriptor < 64; descriptor++)
        close(descriptor);
}

TEST(a_report_whose_pipe_was_closed_is_what_ran)
{
    struct worker_result result = run(close_all, "", LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_EXITED);
    assert_null(result.report);
}

static void send_much(void *context, struct worker *worker)
{
    static char bytes[1 << 20];
    for (int i = 0; i < 8; i++) {
        memset(bytes, i, sizeof bytes);
        worker_send(worker, bytes, sizeof bytes);
        fwrite(context, 1, 1000, stdout);
    }
}

TEST(a_report_may_be_longer_than_a_pipe)
{
    char text[1000];
    memset(text, 'x', sizeof text);
    struct worker_result result = run(send_much, text, LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_RETURNED);
    assert_int_equal(result.report_bytes, 8 << 20);
    for (int i = 0; i < 8; i++)
        assert_int_equal(result.report[(size_t)i << 20], i);
    assert_int_equal(strlen(result.printed), WORKER_PRINTED - 1);
    free(result.report);
}

static void crash(void *context, struct worker *worker)
{
    worker_send(worker, context, 1);
    raise(SIGSEGV);
}

static void leave(void *context, struct worker *worker)
{
    worker_send(worker, context, 1);
    exit(0); /* and not with a failure */
}

static void hang(void *context, struct worker *worker)
{
    (void)context, (void)worker;
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    for (;;)
        ;
}

static void scribble(void *context, struct worker *worker)
{
    worker_send(worker, context, 1);
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        if (write(descriptor, "scribbled, more than a frame has", 32) < 0)
            continue;
    }
}

TEST(what_it_writes_elsewhere_is_no_report)
{
    char byte = 0;
    struct worker_result result = run(scribble, &byte, LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_WROTE);
    assert_null(result.report);
}

TEST(what_ends_a_worker_is_said)
{
    char byte = 0;
    struct worker_result result = run(crash, &byte, LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_CRASHED);
    assert_int_equal(result.detail, SIGSEGV);
    assert_null(result.report);
    result = run(leave, &byte, LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_EXITED);
    assert_int_equal(result.detail, 0);
    assert_null(result.report);
    assert_int_equal(run(hang, NULL, SHORT_MS, NULL).outcome, WORKER_HUNG);
}

/** Longer than the limit, and never for as long without a beat. */
static void go_on(void *context, struct worker *worker)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    (void)context;
    for (int i = 0; i < 50; i++) {
        worker_beat(worker_heart(worker));
        nanosleep(&pause, NULL);
    }
}

TEST(a_worker_that_beats_may_take_its_time)
{
    struct worker_result result = run(go_on, NULL, 900, NULL);
    assert_int_equal(result.outcome, WORKER_RETURNED);
    free(result.report);
}

TEST(a_worker_that_goes_on_after_stop_is_ended)
{
    const volatile int stop = 1;
    assert_int_equal(run(hang, NULL, LONG_MS, &stop).outcome, WORKER_STOPPED);
    int given = 1;
    struct worker_result result = run(answer, &given, LONG_MS, &stop);
    assert_int_equal(result.outcome, WORKER_RETURNED); /* it was quick enough */
    free(result.report);
}

static void leave_a_child_behind(void *context, struct worker *worker)
{
    (void)context;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        for (;;)
            pause();
    }
    worker_send(worker, &child, sizeof child);
}

TEST(what_it_leaves_behind_is_ended_and_other_children_are_not)
{
    pid_t own = fork(), left;
    if (own == 0) {
        for (;;)
            pause();
    }
    struct worker_result result = run(leave_a_child_behind, NULL, LONG_MS, NULL);
    assert_int_equal(result.outcome, WORKER_RETURNED);
    memcpy(&left, result.report, sizeof left);
    free(result.report);
    assert_int_equal(kill(left, 0), -1);
    assert_int_equal(kill(own, 0), 0);
    kill(own, SIGKILL);
    assert_int_equal(waitpid(own, NULL, 0), own);
}

static void *wait_to_end(void *context)
{
    const atomic_bool *over = context;
    while (!*over)
        sched_yield();
    return NULL;
}

TEST(the_caller_may_have_threads)
{
    atomic_bool over = false;
    int given = 1;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, wait_to_end, &over), 0);
    struct worker_result result = run(answer, &given, LONG_MS, NULL);
    over = true;
    pthread_join(thread, NULL);
    assert_int_equal(result.outcome, WORKER_RETURNED);
    free(result.report);
}

RUN_TESTS(NULL, NULL)
