/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/command.h"

static void print_help(void)
{
    puts("Usage: kneepoint <command> [options]\n\n"
         "Where is the knee? Measures how fast this CPU reads weights (beta) and how fast it\n"
         "up-converts and multiplies them (gamma), runs low-bit GEMV kernels against both.\n\nCommands:");
    for (const struct command *const *command = command_all(); *command; command++)
        printf("  %-14s %s\n", (*command)->name, (*command)->summary);
    puts("\n`kneepoint <command> --help` lists the options of each.\n"
         "Exit: 0 done, 1 a check failed, 2 usage or environment error, 3 inconclusive,\n"
         "      4 not comparable, 130 interrupted.");
}

static int run_command(const struct command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "kneepoint %s", command->name);
    argv[0] = name;
    return command->run(argc, argv);
}

/**
 * A standard stream that was closed stays unusable, so that no file of ours is opened in its place and written over.
 */
static void hold_closed_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
    }
}

int main(int argc, char **argv)
{
    hold_closed_streams();
    if (argc < 2)
        return complain(EXIT_USAGE, NULL, "no command given; `kneepoint --help` lists them");

    const struct command *command = command_find(argv[1]);
    int code = EXIT_DONE;
    bool wants_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (wants_help || (argc == 2 && strcmp(argv[1], "help") == 0))
        print_help();
    else if (strcmp(argv[1], "--version") == 0)
        puts("kneepoint " KNEEPOINT_VERSION);
    else if (command)
        code = run_command(command, argc - 1, argv + 1);
    else
        return complain(EXIT_USAGE, NULL, "unknown command '%s'; `kneepoint --help` lists them", argv[1]);

    if (fflush(stdout) != 0 || ferror(stdout))
        return complain(EXIT_USAGE, command ? command->name : NULL,
                        "cannot write to standard output (disk full or closed pipe?)");
    return code;
}
