/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Run a program in a process of its own and take what it writes: the replicate of a comparison, where addresses and
 * pages are drawn anew, and where a kernel that crashes or hangs does no harm.
 *
 * Unlike child_run (platforms/process/child.h) this executes a program, so the caller may have had threads.
 */
enum fresh_outcome {
    FRESH_EXITED,  /* detail is the exit status */
    FRESH_CRASHED, /* detail is the signal */
    FRESH_HUNG,    /* killed at the time limit */
    FRESH_FAILED   /* could not be started, or its output could not be kept; detail is the errno */
};

struct fresh_process {
    enum fresh_outcome outcome;
    int detail;
    char *output; /* all of standard output, NUL-terminated; free(); NULL for FRESH_FAILED */
    size_t length;
    char said[512]; /* last complaint ("kneepoint …") on standard error, else its first line; "" if it said nothing */
};

/**
 * @param program  path to execute
 * @param argv     its arguments, argv[0] first, NULL last
 * @param limit_s  seconds after which it is killed
 */
void fresh_process_run(const char *program, char *const argv[], double limit_s, struct fresh_process *process);

/** In a signal handler that ends this process: pass the signal on to the program that runs, if one does. */
void fresh_process_signal(int number);

/** What became of it, in words: "crashed: Segmentation fault", "hung and was killed". */
void fresh_process_fate(const struct fresh_process *process, char *text, size_t size);
