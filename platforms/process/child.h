/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Run a function where it can do no harm: in a child process with a time limit, so that a crash, an exit(), a hang or a
 * daemon left behind ends there. What it prints is caught.
 */

enum child_outcome {
    CHILD_RETURNED, /* the report is complete */
    CHILD_EXITED,   /* it called exit(); detail is the status */
    CHILD_CRASHED,  /* detail is the signal */
    CHILD_HUNG,     /* killed at the time limit */
    CHILD_WROTE,    /* it wrote into descriptors that are not its own: what came back is not to be trusted */
    CHILD_FAILED,   /* it could not be started; detail is the errno */
    CHILD_LOST, /* its streams could not be made, or its report could not be sent or received, which is no fault of what ran; detail is the errno */
};

struct child_result {
    enum child_outcome outcome;
    int detail;
    char printed[2048]; /* standard output and standard error, the first bytes */
};

/**
 * Run body(argument, report) in a child and copy its report back. The report is only valid for CHILD_RETURNED.
 * Call before the process has threads: the child is forked, not executed.
 */
void child_run(void (*body)(void *argument, void *report), void *argument, void *report, size_t report_bytes,
               unsigned limit_ms, struct child_result *result);

/**
 * "; it printed: terminate called after throwing an instance of 'std::runtime_error' what(): no table": what it said, on one line
 * and cut, or "" where it said nothing.
 * @return text, which has CHILD_SAID bytes
 */
enum { CHILD_SAID = 240 };
const char *child_said(const char *printed, char text[CHILD_SAID]);
