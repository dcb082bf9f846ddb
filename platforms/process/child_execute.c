/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/child_execute.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/** Returns only where it could not: the report is the errno. */
static void execute(void *argument, void *report)
{
    const struct child_program *program = argument;
    if ((program->input < 0 || dup2(program->input, STDIN_FILENO) >= 0) &&
        (program->output < 0 || dup2(program->output, STDOUT_FILENO) >= 0) && setenv("LC_ALL", "C", 1) == 0 &&
        (!program->directory || setenv("TMPDIR", program->directory, 1) == 0))
        execvp(program->arguments[0], program->arguments);
    *(int *)report = errno;
}

int child_execute(const struct child_program *program, unsigned limit_ms, struct child_result *result)
{
    int error = 0;
    child_run(execute, (void *)(uintptr_t)program, &error, sizeof error, limit_ms, result);
    switch (result->outcome) {
    case CHILD_EXITED: return result->detail == 0 ? 0 : CHILD_PROGRAM_FAILED;
    case CHILD_RETURNED: return -error;
    case CHILD_HUNG: return -ETIME;
    case CHILD_FAILED:
    case CHILD_LOST: return -result->detail;
    default: return CHILD_PROGRAM_FAILED;
    }
}
