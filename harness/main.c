/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/output.h"
#include "harness/cmd/console/table.h"
#include "harness/command/command.h"
#include "harness/plan/characterize/purpose.h"
#include "harness/plugin/name_filter.h"
#include "results/files/need.h"

static void print_help(void)
{
    puts("Usage: kneepoint <command> [options]\n\n"
         "Where is the knee? Measures how fast this CPU reads weights (beta) and how fast\n"
         "it up-converts and multiplies them (gamma), and times low-bit GEMV and GEMM\n"
         "kernels against both.\n\nCommands:");
    for (const struct command *const *command = command_all(); *command; command++) {
        int used = printf("  %-14s ", (*command)->name);
        console_print_hanging((size_t)used, (*command)->summary);
    }
    puts("\n`kneepoint <command> --help` lists the options of each.\n"
         "Exit: 0 done, 1 a check failed, 2 usage or environment error, 3 inconclusive,\n"
         "      4 not comparable, 130 interrupted.");
}

/** For a user who has just typed the name: what it is, and where to begin. */
static void print_welcome(void)
{
    puts("Kneepoint " KNEEPOINT_VERSION ": where low-bit matrix kernels leave the bandwidth roof\n"
         "of this CPU, measured.\n\n"
         "Begin with:\n"
         "  kneepoint doctor         what keeps this machine from being measured well");
    printf("  kneepoint characterize   measure it, in %s s; with --report also as a page\n", purpose_machine.budget);
    puts("  kneepoint gemv int2      time the 2-bit GEMV kernels beside the roof of memory\n"
         "  kneepoint list           kernels, sequences, shapes, machines: what there is\n"
         "  kneepoint explain knee   what a number or a kernel is\n\n"
         "`kneepoint --help` lists all commands.");
}

static int refuse_command(const char *given)
{
    struct nearest_name nearest = nearest_name_begin(given);
    char hint[NEAREST_NAME_MOST + 32];
    for (const struct command *const *command = command_all(); *command; command++)
        nearest_name_consider(&nearest, (*command)->name, strlen((*command)->name));
    return complain(EXIT_USAGE, NULL, "unknown command '%s'; `kneepoint --help` lists them%s", given,
                    nearest_name_hint(&nearest, hint, sizeof hint));
}

static int run_command(const struct command *command, int argc, char **argv)
{
    char name[64];
    struct output output = {0};
    snprintf(name, sizeof name, "kneepoint %s", command->name);
    argv[0] = name;
    int code = command->writes_forms ? 0 : output_begin(command->name, argc, argv, &output);
    return code ? code : output_end(command->name, &output, command->tables, command->run(argc, argv));
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

static const char *running; /* the command */
static pid_t tool;

/** At every exit, that of --help included, which argp ends: what was printed has been written, or a line says that it was not. */
static void check_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    if (!has_complained()) /* in one write: argp may have taken stderr over */
        dprintf(STDERR_FILENO, "kneepoint%s%s: cannot write to standard output (disk full or closed pipe?)\n",
                running ? " " : "", running ? running : "");
    _exit(EXIT_USAGE);
}

/** Without memory for a part of a result: what was measured is in the run by then. */
static void end_without_memory(void)
{
    complain(EXIT_USAGE, running, "not enough memory; free memory, or raise the limit of this process");
    if (getpid() == tool)
        exit(EXIT_USAGE);
    _exit(EXIT_USAGE); /* a worker has copies of what the tool has yet to print */
}

/** jansson leaves out what it has no memory for, and version 2.14 crashes where a text is short of it. */
static void *allocate_json(size_t size)
{
    return need(1, size);
}

int main(int argc, char **argv)
{
    tool = getpid();
    need_or(end_without_memory);
    json_set_alloc_funcs(allocate_json, free);
    hold_closed_streams();
    signal(SIGXFSZ, SIG_IGN); /* a write past `ulimit -f` fails instead, and is said */
    atexit(check_output);
    if (argc < 2 && isatty(STDOUT_FILENO)) {
        print_welcome();
        return EXIT_DONE;
    }
    if (argc < 2)
        return complain(EXIT_USAGE, NULL, "no command given; `kneepoint --help` lists them");

    const struct command *command = command_find(argv[1]);
    running = command ? command->name : NULL;
    int code = EXIT_DONE;
    bool wants_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (wants_help || (argc == 2 && strcmp(argv[1], "help") == 0))
        print_help();
    else if (strcmp(argv[1], "--version") == 0)
        puts("kneepoint " KNEEPOINT_VERSION);
    else if (command)
        code = run_command(command, argc - 1, argv + 1);
    else
        return refuse_command(argv[1]);

    return code;
}
