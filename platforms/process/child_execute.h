/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "platforms/process/child.h"

/** A program that is executed in a child, with LC_ALL=C. */
struct child_program {
    char *const *arguments; /* the first is found on PATH; NULL after the last */
    const char *directory;  /* its TMPDIR; NULL: that of this process */
    int input, output; /* descriptors of standard input and output; -1: /dev/null, and what result->printed receives */
};

enum { CHILD_PROGRAM_FAILED = 1 };

/**
 * Execute it to its end.
 * @return 0: it exited with 0. CHILD_PROGRAM_FAILED: with another status, or a signal; result says which. -ENOENT: none of this
 *         name on PATH. -ETIME: stopped at the limit. Other negative errno: it could not be executed, or what it printed is lost.
 */
int child_execute(const struct child_program *program, unsigned limit_ms, struct child_result *result)
    __attribute__((warn_unused_result));
