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

const char *remedy_budget(const struct view *view, enum view_type type, char *text, size_t size)
{
    enum { SECONDS_MOST = 300 }; /* more is said in minutes */
    const json_t *budgets = json_object_get(json_object_get(view->end, "left_out"), "least_budgets_s");
    double seconds = view_number(budgets, view_type_name(type));
    if (!(seconds > 0))
        return NULL;
    if (seconds <= SECONDS_MOST)
        snprintf(text, size, "kneepoint characterize --budget=%.0f", 10 * ceil(seconds / 10));
    else
        snprintf(text, size, "kneepoint characterize --budget=%.0fm", ceil(seconds / 60));
    return text;
}
