/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/silence.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void silence_begin(struct silence *silence)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(NULL);
    silence->output = null < 0 ? -1 : dup(STDOUT_FILENO);
    silence->error = null < 0 ? -1 : dup(STDERR_FILENO);
    if (silence->output >= 0)
        dup2(null, STDOUT_FILENO);
    if (silence->error >= 0)
        dup2(null, STDERR_FILENO);
    if (null >= 0)
        close(null);
}

void silence_end(struct silence *silence)
{
    fflush(NULL);
    if (silence->output >= 0)
        dup2(silence->output, STDOUT_FILENO);
    if (silence->error >= 0)
        dup2(silence->error, STDERR_FILENO);
    if (silence->output >= 0)
        close(silence->output);
    if (silence->error >= 0)
        close(silence->error);
}
