/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_OPERANDS_GUARDED_PLACE_H
#define HARNESS_CHECK_OPERANDS_GUARDED_PLACE_H

#include <stddef.h>

#include "platforms/memory/memory.h"

/** An operand between guard pages, and what it is called. */
struct guarded_operand {
    const struct memory_guarded *buffer;
    const char *name;
};

/**
 * Where an address lies that was touched: "64 bytes past the end of its weights", "within its weights, which are only
 * read", of the operand that is nearest; "" for NULL and if none is near. Pure.
 */
void guarded_place(const struct guarded_operand *operands, size_t count, const void *address, char *text, size_t size);

#endif
