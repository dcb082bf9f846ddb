/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/remedy.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char into_run[] = "--into=RUN";

static bool can_add(const char *command)
{
    static const char *const commands[] = {"kneepoint beta", "kneepoint gamma", "kneepoint gemv",   "kneepoint gemm",
                                           "kneepoint knee", "kneepoint bias",  "kneepoint decode", "kneepoint terms"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        size_t length = strlen(commands[i]);
        if (strncmp(command, commands[i], length) == 0 && (command[length] == '\0' || command[length] == ' '))
            return !strchr(command, '>');
    }
    return false;
}

const char *remedy_of(const struct view *view, const char *command, char *text, size_t size)
{
    const char *at = strstr(command, into_run), *path = view->path ? view->path : "RUN";
    if (at)
        snprintf(text, size, "%.*s--into=%s%s", (int)(at - command), command, path, at + strlen(into_run));
    else if (can_add(command) && !strstr(command, "--into="))
        snprintf(text, size, "%s --into=%s", command, path);
    else
        snprintf(text, size, "%s", command);
    return text;
}

double remedy_full_s(const struct view *view)
{
    double cells = view_number(view->end, "cells"), left_out = view_number(view->end, "cells_left_out"),
           dropped = view_number(view->end, "cells_dropped"), seconds = view_number(view->end, "seconds");
    double lacks = (left_out > 0 ? left_out : 0) + (dropped > 0 ? dropped : 0);
    return cells > 0 && lacks > 0 && seconds > 0 ? seconds * (cells + lacks) / cells : (double)NAN;
}
