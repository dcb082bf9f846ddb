/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Signals find nothing but what lies in static memory. */
static const char *volatile measured_now;
static void (*volatile report_now)(const char *measured, const char *signal_name);

static const struct {
    int number;
    const char *name;
} fatal[] = {
    {SIGSEGV, "signal 11 (Segmentation fault)"},
    {SIGBUS, "signal 7 (Bus error)"},
    {SIGILL, "signal 4 (Illegal instruction)"},
    {SIGFPE, "signal 8 (Floating point exception)"},
    {SIGABRT, "signal 6 (Aborted)"},
};
enum { FATAL = sizeof fatal / sizeof *fatal };

static void on_crash(int number)
{
    const char *measured = measured_now;
    if (!measured) { /* a fault of ours */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    for (size_t i = 0; i < FATAL; i++) {
        if (fatal[i].number == number)
            report_now(measured, fatal[i].name);
    }
}

/* That asked for it: in a fork the parent looks at how it ends. */
static pid_t process;

/** Whatever status it was called with, it is no success. */
static void on_exit_of_process(void)
{
    if (measured_now && getpid() == process)
        report_now(measured_now, NULL);
}

void plugin_crash_catch(void (*report)(const char *measured, const char *signal_name))
{
    struct sigaction action = {.sa_handler = on_crash};
    if (!report_now)
        atexit(on_exit_of_process); /* without memory for it an exit() is not caught */
    report_now = report;
    process = getpid();
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i].number, &action, NULL);
}

void plugin_crash_now(const char *name)
{
    measured_now = name;
}
