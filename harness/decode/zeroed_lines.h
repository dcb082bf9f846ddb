/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_DECODE_ZEROED_LINES_H
#define HARNESS_DECODE_ZEROED_LINES_H

#include <stdlib.h>
#include <string.h>

/** Zeroed cache lines for this many bytes, and at least a line after them. NULL without memory; freed by free(). */
static inline void *zeroed_lines(size_t bytes)
{
    enum { LINE = 64 };
    size_t rounded = (bytes + 2 * LINE - 1) / LINE * LINE;
    void *memory = aligned_alloc(LINE, rounded);
    if (memory)
        memset(memory, 0, rounded);
    return memory;
}

#endif
