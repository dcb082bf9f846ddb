/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * Arguments for another process of this program. Zero it to begin with; a failure is remembered and reported at the
 * end.
 */
struct process_arguments {
    char **argv; /* [count], then NULL; NULL while empty */
    size_t count, capacity;
    bool failed; /* there was no memory for one of them */
};

/** Append one, formatted. */
void process_arguments_add(struct process_arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void process_arguments_release(struct process_arguments *arguments);
