/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Vectors that several matrices read, as q, k and v do: each kernel that multiplies one makes its operand of it once, whatever number of
 * matrices it multiplies. Zeroed at first; of up to as many pairs as there is room for.
 */
struct shared_operands {
    struct shared_operand {
        uint64_t vector;
        const void *maker; /* a kernel, or whatever makes the same operand of a vector */
    } * seen;
    size_t count;
};

/** Whether that maker has not made its operand of that vector yet; it has from now on. `seen` has room for one more. */
static inline bool shared_operands_add(struct shared_operands *operands, uint64_t vector, const void *maker)
{
    for (size_t i = operands->count; i-- > 0;) { /* those of a layer follow each other */
        if (operands->seen[i].vector == vector && operands->seen[i].maker == maker)
            return false;
    }
    operands->seen[operands->count++] = (struct shared_operand){vector, maker};
    return true;
}
