/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/crash.h"

#include <string.h>
#include <unistd.h>

#include "harness/command/exit_code.h"
#include "harness/plugin/plugin_crash.h"

/* A signal handler finds nothing but what lies in static memory. */
static const char *volatile command_now;

/** Only what a signal handler may call. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static void report(const char *measured, const char *signal_name)
{
    say("kneepoint ");
    say(command_now);
    say(": ");
    say(measured);
    say(signal_name ? " crashed while it was measured: " : " called exit() while it was measured");
    say(signal_name ? signal_name : "");
    say("; leave it out by naming others\n");
    _exit(EXIT_CHECK_FAILED);
}

void crash_report_for(const char *command)
{
    command_now = command;
    plugin_crash_catch(report);
}
