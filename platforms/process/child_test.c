/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platforms/process/refused_call.h"
#include "unit_test.h"

enum { LIMIT_MS = 150 };

static void answer(void *argument, void *report)
{
    *(int *)report = *(const int *)argument + 1;
    printf("out ");
    fflush(stdout);
    fprintf(stderr, "err");
}

static void crash(void *argument, void *report)
{
    (void)argument, (void)report;
    raise(SIGSEGV);
}

static void leave(void *argument, void *report)
{
    (void)argument, (void)report;
    exit(7);
}

static void hang(void *argument, void *report)
{
    (void)argument, (void)report;
    for (;;)
        pause();
}

static void hang_stubbornly(void *argument, void *report)
{
    (void)argument, (void)report;
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    for (;;)
        ;
}

static void flood(void *argument, void *report)
{
    static const char line[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n";
    (void)argument;
    for (int l = 0; l < 4096; l++) /* four times what a pipe holds */
        if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
            return;
    *(int *)report = 1;
}

/* A daemon as libraries start them: twice forked, own session, output kept open. Its pid goes to shared memory. */
static void start_daemon(void *argument, void *report)
{
    volatile pid_t *pid = argument;
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        *pid = getpid();
        for (;;)
            pause();
    }
    while (*pid == 0)
        usleep(1000);
    *(int *)report = 1;
}

TEST(a_report_and_what_was_printed_come_back)
{
    struct child_result result;
    int question = 41, report = -1;
    child_run(answer, &question, &report, sizeof report, LIMIT_MS, &result);
    assert_int_equal(result.outcome, CHILD_RETURNED);
    assert_int_equal(report, 42);
    assert_string_equal(result.printed, "out err");
}

/** In a process of its own, whose standard output is a file. */
TEST(what_the_caller_has_yet_to_write_is_not_what_was_printed)
{
    int status, question = 41, report = -1;
    FILE *file = tmpfile();
    assert_non_null(file);
    pid_t child = fork();
    if (child == 0) {
        struct child_result result;
        fflush(stdout);
        if (dup2(fileno(file), STDOUT_FILENO) < 0)
            _exit(1);
        fputs("the caller's ", stdout);
        child_run(answer, &question, &report, sizeof report, LIMIT_MS, &result);
        fputs("own", stdout);
        fflush(stdout);
        _exit(strcmp(result.printed, "out err") == 0 ? 0 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
    char text[64] = "";
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "the caller's own");
    fclose(file);
}

TEST(a_crash_stays_there)
{
    struct child_result result;
    int report;
    child_run(crash, NULL, &report, sizeof report, LIMIT_MS, &result);
    assert_int_equal(result.outcome, CHILD_CRASHED);
    assert_int_equal(result.detail, SIGSEGV);
    assert_int_equal(report, 0);
}

/** From here on the system refuses whatever this process writes. */
static void fail_writes(void *argument, void *report)
{
    (void)argument, (void)report;
    if (!refuse_call(SYS_write, EIO))
        _exit(77);
}

TEST(a_report_that_cannot_be_sent_is_not_what_ran)
{
    struct child_result result;
    int report;
    child_run(fail_writes, NULL, &report, sizeof report, LIMIT_MS, &result);
    skip_if(result.outcome == CHILD_EXITED && result.detail == 77, "not on this machine: no filters of system calls");
    assert_int_equal(result.outcome, CHILD_LOST);
    assert_int_equal(result.detail, EIO);
}

static void report_one(void *argument, void *report)
{
    (void)argument;
    *(int *)report = 1;
}

/** In a process of its own, in which no pipe can be read from here on. */
TEST(a_report_that_cannot_be_received_is_not_what_ran)
{
    enum { LOST = 1, NO_FILTER = 77 };
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct child_result result;
        int report;
        if (!refuse_call(SYS_read, EIO))
            _exit(NO_FILTER);
        child_run(report_one, NULL, &report, sizeof report, LIMIT_MS, &result);
        _exit(result.outcome == CHILD_LOST && result.detail == EIO ? LOST : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    skip_if(WEXITSTATUS(status) == NO_FILTER, "not on this machine: no filters of system calls");
    assert_int_equal(WEXITSTATUS(status), LOST);
}

TEST(an_exit_stays_there)
{
    struct child_result result;
    int report;
    child_run(leave, NULL, &report, sizeof report, LIMIT_MS, &result);
    assert_int_equal(result.outcome, CHILD_EXITED);
    assert_int_equal(result.detail, 7);
}

TEST(a_hang_is_ended)
{
    struct child_result result;
    int report;
    child_run(hang, NULL, &report, sizeof report, LIMIT_MS, &result);
    assert_int_equal(result.outcome, CHILD_HUNG);
    child_run(hang_stubbornly, NULL, &report, sizeof report, LIMIT_MS, &result);
    assert_int_equal(result.outcome, CHILD_HUNG);
}

TEST(a_flood_of_words_blocks_nobody)
{
    struct child_result result;
    int report;
    child_run(flood, NULL, &report, sizeof report, 2000, &result);
    assert_int_equal(result.outcome, CHILD_RETURNED);
    assert_int_equal(report, 1);
    assert_int_equal(strlen(result.printed), sizeof result.printed - 1);
}

TEST(a_daemon_does_not_outlive_the_probe)
{
    struct child_result result;
    int report;
    pid_t *pid = mmap(NULL, sizeof *pid, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pid, MAP_FAILED);
    child_run(start_daemon, pid, &report, sizeof report, 2000, &result);
    assert_int_equal(result.outcome, CHILD_RETURNED);
    assert_true(*pid > 0);
    assert_int_equal(kill(*pid, 0), -1);
    assert_int_equal(errno, ESRCH);
    munmap(pid, sizeof *pid);
}

TEST(nothing_is_left_to_wait_for)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

TEST(what_it_said_is_one_line)
{
    struct child_result result = {.printed = "\nterminate called after throwing an instance of 'std::runtime_error'\n"
                                             "  what():  no such table\n"};
    char text[CHILD_SAID];
    assert_string_equal(child_said(result.printed, text),
                        "; it printed: terminate called after throwing an instance of "
                        "'std::runtime_error' what(): no such table");
    assert_string_equal(child_said(" \n\t", text), "");
    memset(result.printed, 'x', sizeof result.printed - 1);
    assert_int_equal(strlen(child_said(result.printed, text)), CHILD_SAID - 1);
    assert_string_equal(text + CHILD_SAID - 6, "xx...");
}

RUN_TESTS(NULL, NULL)
