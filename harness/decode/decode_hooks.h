/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_DECODE_DECODE_HOOKS_H
#define HARNESS_DECODE_DECODE_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

/** Called around each call that a member of a pass makes of a kernel: its product, and what makes its operand. */
struct decode_hooks {
    void (*before)(void *context, const struct kernel *kernel, unsigned member);
    void (*after)(void *context, const struct kernel *kernel, unsigned member);
    /** By the first member, when all rows of a product are there: in the same order in every pass. */
    void (*results)(void *context, const void *results, size_t bytes);
    void *context;
};

/** @param around  NULL: nothing is called */
static inline void decode_hooks_before(const struct decode_hooks *around, const struct kernel *kernel, unsigned member)
{
    if (around)
        around->before(around->context, kernel, member);
}

static inline void decode_hooks_after(const struct decode_hooks *around, const struct kernel *kernel, unsigned member)
{
    if (around)
        around->after(around->context, kernel, member);
}

#endif
