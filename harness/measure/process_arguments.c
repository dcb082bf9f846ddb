/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/process_arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool grow(struct process_arguments *arguments)
{
    if (arguments->count + 2 <= arguments->capacity)
        return true;
    size_t capacity = 2 * arguments->capacity + 32;
    char **grown = realloc(arguments->argv, capacity * sizeof *grown);
    if (!grown)
        return false;
    arguments->argv = grown;
    arguments->capacity = capacity;
    return true;
}

void process_arguments_add(struct process_arguments *arguments, const char *format, ...)
{
    char *argument;
    va_list list;
    if (!grow(arguments)) {
        arguments->failed = true;
        return;
    }
    va_start(list, format);
    if (vasprintf(&argument, format, list) < 0)
        arguments->failed = true;
    else
        arguments->argv[arguments->count++] = argument;
    va_end(list);
    arguments->argv[arguments->count] = NULL;
}

void process_arguments_release(struct process_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->argv[i]);
    free(arguments->argv);
    *arguments = (struct process_arguments){0};
}
