/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/check/call/checked_call.h"
#include "micro/kernel.h"
#include "platforms/memory/memory.h"

/**
 * Operands through an order of column groups (struct kernel_ordered): that what a kernel writes through a random order is what it
 * writes of activations that are in that order, bit for bit, and that it reads no byte past the order or the activations and writes none past
 * the operand. The rest of the kernel is then checked on activations in the order of the panels alone, as that of any other.
 */
struct guarded_ordered {
    const struct kernel *kernel;
    size_t columns, tokens;
    bool at_end;
    struct memory_guarded order, source; /* source: activations as they come, [tokens][stride] */
};

/**
 * For a kernel that has ordered.prepare() or ordered.prepare_many(); of others nothing is made.
 * @return 0 or -ENOMEM; release either
 */
int guarded_ordered_make(struct guarded_ordered *ordered, const struct kernel *kernel, size_t k, size_t tokens,
                         int guard_at_end) __attribute__((warn_unused_result));
void guarded_ordered_release(struct guarded_ordered *ordered);

/** What one call is about: activations in the order of the panels, and what prepare() or prepare_many() made of them. */
struct guarded_ordered_call {
    const void *activations;
    size_t stride, tokens; /* stride in elements; tokens 0: prepare() */
    uint8_t *prepared;     /* written again, followed by bytes that must not change */
    size_t bytes, behind;
    uint8_t canary; /* that these are, and that prepared was before */
};

/** Prepare through an order, and compare. CALL_CLEAN where the kernel has no such entry. */
enum call_fault guarded_ordered_prepare(struct guarded_ordered *ordered, const struct guarded_ordered_call *call,
                                        struct checked_call_report *report);
