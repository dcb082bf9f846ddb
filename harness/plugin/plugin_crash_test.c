/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What ends a process while a plug-in is measured in it. Each in a fork, whose status says what was reported.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/plugin/plugin_crash.h"
#include "unit_test.h"

enum { REPORTED_SIGNAL = 70, REPORTED_EXIT };

static void report(const char *measured, const char *signal_name)
{
    _exit(measured[0] == 'k' ? signal_name ? REPORTED_SIGNAL : REPORTED_EXIT : 1);
}

static void exits(void)
{
    exit(0);
}

static void crashes(void)
{
    raise(SIGSEGV);
}

static void exits_in_a_fork(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        exit(3);
    waitpid(pid, &status, 0);
    plugin_crash_now(NULL);
    exit(WEXITSTATUS(status));
}

static int status_of(const char *measured, void (*ends)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        plugin_crash_catch(report);
        plugin_crash_now(measured);
        ends();
        _exit(2);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(the_end_of_a_process_is_laid_to_who_was_measured)
{
    assert_int_equal(status_of("k", exits), REPORTED_EXIT);
    assert_int_equal(status_of("k", crashes), REPORTED_SIGNAL);
    assert_int_equal(status_of(NULL, exits), 0); /* the tool's own */
    assert_int_equal(status_of("k", exits_in_a_fork), 3);
}

RUN_TESTS(NULL, NULL)
