/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/process/silence.h"

#include <errno.h>
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

int silence_end(struct silence *silence)
{
    int error = 0;
    fflush(NULL);
    if (silence->output >= 0 && dup2(silence->output, STDOUT_FILENO) < 0)
        error = -errno;
    if (silence->error >= 0)
        dup2(silence->error, STDERR_FILENO); /* or nothing could say so */
    if (silence->output >= 0)
        close(silence->output);
    if (silence->error >= 0)
        close(silence->error);
    return error;
}
