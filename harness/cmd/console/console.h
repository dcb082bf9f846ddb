/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>

#include "results/records/run.h"

/** How subcommands speak. Results go to standard output, everything else to standard error. */

/** Print "kneepoint <command>: <message>" as one line on standard error; returns exit_code so a caller can `return
 * complain(…)`. */
int complain(int exit_code, const char *command, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Whether complain has said why the command ends with EXIT_USAGE. */
bool has_complained(void);

/** One line on standard error for each kind of damage that a run has, and none for a whole one. */
void complain_of_damage(const char *command, const char *run, const struct run_damage *damage);

/**
 * Complain that run_find_newest found none: why, and that one is measured by `kneepoint characterize` or named.
 * @param error    that it returned
 * @param purpose  "", or what it would have been: " to be HEAD"
 * @param names    "name its folder"
 * @return EXIT_USAGE
 */
int complain_of_no_run(const char *command, int error, const char *results, const char *purpose, const char *names);

/**
 * Print a record as one line on standard output, and release it (NULL: there was no memory for it).
 * @return EXIT_DONE, or EXIT_USAGE after complaining that it cannot be written
 */
int print_record(const char *command, json_t *record);

/** Print the path of a rendered report, as text or as a record. @return as print_record */
int print_report(const char *command, bool json, const char *run, const char *folder);

/**
 * Parse with argp: --help exits 0; a wrong option, and argp_error() of a parser, is one line with a hint and exit 2.
 * These exit by themselves, as argp does.
 * @return 0, or EXIT_USAGE when a parser returned an error of its own
 */
int parse_options(const struct argp *argp, int argc, char **argv, void *input);

/** Whether standard output may carry colour (a terminal, NO_COLOR unset, TERM not dumb). */
bool console_colour(void);

/** Text in bold or plain, by console_colour. Returns a static string. */
const char *console_bold(void);
const char *console_plain(void);

/**
 * Progress on standard error with the remaining time: a bar that rewrites itself on a terminal, at most five times a second; a
 * line every ten seconds elsewhere. Nothing runs beside what is measured: it is drawn by the calls, which are made between visits.
 */
struct progress {
    const char *what;
    double started_s, last_s;
    bool terminal;
    bool drawn;
};
void progress_begin(struct progress *progress, const char *what);
void progress_update(struct progress *progress, double done_fraction, double remaining_s, const char *now);
void progress_end(struct progress *progress);

/** A line above the bar; without a terminal none before progress is shown. */
void progress_say(struct progress *progress, const char *line);

/** Part of the work that one execution goes through, each of which counts from 0 to 1. */
struct progress_part {
    struct progress progress;
    double begin_fraction, end_fraction;
};

/** As struct execution's progress, the context being a struct progress_part: time left is that of the pace so far. */
void progress_part_show(void *part, double fraction, const char *now);
