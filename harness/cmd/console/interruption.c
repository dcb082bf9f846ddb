/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/interruption.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/exit_code.h"
#include "platforms/process/fresh_process.h"

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

/* A signal handler finds nothing but what lies in static memory. */
static const char *volatile command_now;
static volatile sig_atomic_t terminal, watched, asked;

/** Only what a signal handler may call. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static void on_signal(int number)
{
    (void)number;
    if (watched && !asked) {
        asked = 1;
        return;
    }
    if (terminal)
        say("\r\033[K"); /* the bar */
    fresh_process_signal(SIGTERM);
    say("kneepoint ");
    say(command_now);
    say(": interrupted\n");
    _exit(EXIT_INTERRUPTED);
}

void interruption_catch(const char *command)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    command_now = command;
    terminal = isatty(STDERR_FILENO);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        bool ignored = sigaction(caught[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (caught[i] != SIGHUP || !ignored)
            sigaction(caught[i], &action, NULL);
    }
}

const volatile int *interruption_watch(void)
{
    watched = 1;
    return &asked;
}
