/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/plugin/name_filter.h"
#include "platforms/process/fresh_process.h"
#include "results/text/words.h"

static const char command_name[] = "help";

/** Pages that are not of a command. */
static const char *const pages[] = {"fleet", "formats", "measuring", "platform", "plugin", "records"};

enum { PAGES = sizeof pages / sizeof *pages };

enum { FOLDER_SIZE = 2048, PAGE_SIZE = 2560, PLACES = 3 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    const char **topic = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*topic)
        argp_error(state, "name one command or page; '%s' is a second", argument);
    *topic = argument;
    return 0;
}

/** Folder of this program's file. @return false: not known */
static bool own_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    return true;
}

/** One of the places where a page lies, below the folder of the program: in a build, installed, and packaged. */
static void place_of(char *page, size_t size, int place, const char *folder, const char *topic, char section)
{
    if (place == 0)
        snprintf(page, size, "%s/man/kneepoint-%s.%c", folder, topic, section);
    else
        snprintf(page, size, "%s/../share/man/man%c/kneepoint-%s.%c%s", folder, section, topic, section,
                 place == 1 ? "" : ".gz");
}

/** Through this program, which knows whether it could be written: man itself succeeds on a full disk. @return exit code, after complaining */
static int copy_page(char *page, bool *shown)
{
    static const double LIMIT_S = 60;
    char shell[] = "sh", option[] = "-c", script[] = "exec man -l \"$1\"";
    char *argv[] = {shell, option, script, shell, page, NULL};
    struct fresh_process man;
    fresh_process_run("/bin/sh", argv, LIMIT_S, &man);
    if (man.outcome == FRESH_FAILED)
        return complain(EXIT_USAGE, command_name, "man could not be run, or what it shows not be read: %s",
                        strerror(man.detail));
    *shown = man.outcome == FRESH_EXITED && man.detail == 0;
    if (*shown)
        fwrite(man.output, 1, man.length, stdout);
    free(man.output);
    return EXIT_DONE;
}

/** Whether man showed the page; on a terminal it takes this program's place, to page with keys. @return exit code, after complaining */
static int show_page(char *page, bool *shown)
{
    if (!isatty(STDOUT_FILENO))
        return copy_page(page, shown);
    fflush(stdout);
    execlp("man", "man", "-l", page, (char *)NULL);
    return EXIT_DONE;
}

/** Path of the manual page of a topic. @return false: there is none */
static bool find_page(const char *topic, char *page, size_t size)
{
    char folder[FOLDER_SIZE];
    if (strchr(topic, '/') || !own_folder(folder, sizeof folder))
        return false;
    for (const char *section = "157"; *section; section++) {
        for (int place = 0; place < PLACES; place++) {
            place_of(page, size, place, folder, topic, *section);
            if (access(page, R_OK) == 0)
                return true;
        }
    }
    return false;
}

static int print_options(const struct command *command)
{
    char name[64], option[] = "--help";
    snprintf(name, sizeof name, "kneepoint %s", command->name);
    char *argv[] = {name, option, NULL};
    return command->run(2, argv);
}

static int refuse_topic(const char *topic)
{
    struct nearest_name nearest = nearest_name_begin(topic);
    char names[128] = "", hint[NEAREST_NAME_MOST + 32];
    for (const struct command *const *command = command_all(); *command; command++)
        nearest_name_consider(&nearest, (*command)->name, strlen((*command)->name));
    for (size_t i = 0; i < PAGES; i++) {
        nearest_name_consider(&nearest, pages[i], strlen(pages[i]));
        words_add(names, sizeof names, "%s", pages[i]);
    }
    return complain(EXIT_USAGE, command_name,
                    "no manual page of '%s'; `kneepoint --help` lists the commands, and other pages are %s%s", topic,
                    names, nearest_name_hint(&nearest, hint, sizeof hint));
}

static bool is_page(const char *topic)
{
    size_t i = 0;
    while (i < PAGES && strcmp(pages[i], topic) != 0)
        i++;
    return i < PAGES;
}

/** Of a page that is no command, for which --help stands in. */
static int say_not_shown(const char *topic, const char *page)
{
    if (page)
        return complain(EXIT_USAGE, command_name, "man did not show %s: install man-db, or read that file", page);
    return complain(EXIT_USAGE, command_name,
                    "the manual page of '%s' is not beside this program: run it where make built or installed it",
                    topic);
}

static int run_help(int argc, char **argv)
{
    const struct argp argp = {.parser = parse,
                              .args_doc = "[COMMAND]",
                              .doc =
                                  "Shows the manual page of a command, or of fleet, formats, measuring, platform, "
                                  "plugin or records. If the man program or the page is missing, it prints what --help "
                                  "of the command prints."};
    const char *topic = NULL;
    int error = parse_options(&argp, argc, argv, &topic);
    if (error)
        return error;
    char page[PAGE_SIZE];
    if (!topic || strcmp(topic, "kneepoint") == 0)
        return complain(EXIT_USAGE, command_name, "which command? `kneepoint --help` lists them");
    bool shown = false;
    bool found = find_page(topic, page, sizeof page);
    int code = found ? show_page(page, &shown) : EXIT_DONE;
    if (code != EXIT_DONE || shown)
        return code;
    const struct command *command = command_find(topic);
    if (command)
        return print_options(command);
    return is_page(topic) ? say_not_shown(topic, found ? page : NULL) : refuse_topic(topic);
}

const struct command command_help = {
    .name = "help",
    .summary = "the manual page of a command, or of formats, records, plugin and others",
    .run = run_help,
};
