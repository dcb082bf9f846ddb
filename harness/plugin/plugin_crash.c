/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plugin/plugin_crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "harness/exit_code.h"

/* Signals find nothing but what lies in static memory. */
static const char *volatile command_now, *volatile measured_now;

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

/** Only what a signal handler may call. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static void on_crash(int number)
{
    const char *measured = measured_now;
    if (!measured) { /* a fault of ours */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    say("kneepoint ");
    say(command_now);
    say(": ");
    say(measured);
    say(" crashed while it was measured: ");
    for (size_t i = 0; i < FATAL; i++) {
        if (fatal[i].number == number)
            say(fatal[i].name);
    }
    say("; leave it out by naming others\n");
    _exit(EXIT_CHECK_FAILED);
}

void plugin_crash_catch(const char *command)
{
    struct sigaction action = {.sa_handler = on_crash};
    command_now = command;
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i].number, &action, NULL);
}

void plugin_crash_now(const char *name)
{
    measured_now = name;
}
