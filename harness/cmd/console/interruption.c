/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/interruption.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/command/exit_code.h"
#include "platforms/process/fresh_process.h"

/* timeout(1) sends its signal to the command, then to the command's process group, so that the command receives it twice. */
#define REPEATED_NS INT64_C(1000000000)

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

/* A signal handler finds nothing but what lies in static memory. */
static const char *volatile command_now;
static volatile sig_atomic_t terminal, watched, asked; /* asked: the number of the signal */
static volatile int64_t asked_ns;

/** Only what a signal handler may call. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static int64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void on_signal(int number)
{
    if (watched && !asked) {
        asked_ns = now_ns();
        asked = number;
        return;
    }
    if (asked == number && now_ns() - asked_ns < REPEATED_NS)
        return;
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
