/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>

#include "harness/cells/cell/execution.h"
#include "harness/cmd/console/console.h"
#include "harness/record/run_writer.h"

/**
 * How every command that measures does so: its progress is shown, its visits are written to a run if one is asked for, and a signal ends
 * it in an orderly way, with what it has so far printed and saved.
 *
 *     code = watched_open(…);
 *     execution = watched_begin(…);
 *     error = measure;
 *     code = watched_end(…);
 *     if (!code)
 *         code = print;
 *     return watched_close(…);
 */
struct watched {
    const char *command;
    const char *shows; /* kind of the cells without which there is no table; NULL: any */
    bool json;
    /**
     * Prints the line of a cell, or none; set by a command whose lines are printed as soon as they are final. NULL: print all of them at
     * the end. @return exit code, after complaining
     */
    int (*line)(const void *given, const struct session *session, const struct cells *cells, const struct cell *cell);
    /** What is said of a cell while others are measured, of a command that prints its table at the end; "" for nothing. NULL: nothing is. */
    const char *(*done)(const void *given, const struct session *session, const struct cells *cells,
                        const struct cell *cell, char *text, size_t size);
    const void *given; /* to `line` and `done` */
    /* the rest is set by watched_open */
    const struct session *session;
    size_t lines; /* cells whose lines were printed (watched_lines), or of which was said that they are done */
    int code;     /* of printing them */
    struct run_writer writer;
    struct progress_part part; /* whose fractions a command sets that measures in parts */
    double started_s;
    bool blank;    /* nothing was printed (watched_blank) */
    bool measured; /* to the end, or until it was interrupted */
    bool interrupted;
};

/** --results and --into, as an argp child: its input is a struct run_request. */
extern const struct argp saving_argp;

/**
 * Open the run that is asked for, if one is, and say in it what the machine is. From here on a signal only asks to stop.
 * @return exit code, after complaining; unless EXIT_DONE, there is nothing to close
 */
int watched_open(struct watched *watched, const struct run_request *run, struct session *session);

/** What cells are carried out by. The watched is kept by the caller until watched_close(). */
struct execution watched_begin(struct watched *watched);

/**
 * Take the bar away. An interruption is no error: what there is can be printed.
 * @param error  of measuring; why says what it is, unless it is -EINTR
 * @return EXIT_DONE; EXIT_INTERRUPTED if there is nothing to print; else another exit code after complaining
 */
int watched_end(struct watched *watched, const struct cells *cells, int error, const char *why);

/** A `line` for commands that print all cells as they are; `given` is the command's name. */
int watched_line(const void *command, const struct session *session, const struct cells *cells,
                 const struct cell *cell);

/**
 * Print the lines of those of cells [0, end) that have none yet, each at once: who reads a pipe has it while the next is measured. While it is
 * measured this is done where cells are final (execution_final); a command does it with all cells when it has ended.
 * @return exit code, after complaining
 */
int watched_lines(struct watched *watched, const struct cells *cells, size_t end);

/** Begin, measure all cells, each that can be, and end. @return as watched_end() */
int watched_measure(struct watched *watched, struct session *session, struct cells *cells, const struct effort *effort);

/** Where an interrupted measurement left nothing to print. @return EXIT_INTERRUPTED */
int watched_blank(struct watched *watched);

/**
 * Write summaries and the end to the run, name it, and say what an interruption cut off.
 * @param code  so far
 * @return exit code: EXIT_INTERRUPTED after an interruption
 */
int watched_close(struct watched *watched, const struct session *session, struct cells *cells, int code);
