/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/operands/guarded_place.h"

#include <stdint.h>
#include <stdio.h>

enum { NEAR_BYTES = 1 << 16 };

void guarded_place(const struct guarded_operand *operands, size_t count, const void *address, char *text, size_t size)
{
    const uint8_t *touched = address;
    ptrdiff_t least = NEAR_BYTES;
    text[0] = '\0';
    for (size_t i = 0; touched && i < count; i++) {
        const uint8_t *first = operands[i].buffer->bytes, *end = first + operands[i].buffer->length;
        ptrdiff_t past = touched - end, before = first - touched;
        if (past < 0 && before <= 0) {
            snprintf(text, size, "within its %s, which are only read", operands[i].name);
            return;
        }
        if (past >= 0 && past < least)
            snprintf(text, size, "%td bytes past the end of its %s", least = past, operands[i].name);
        if (before > 0 && before < least)
            snprintf(text, size, "%td bytes in front of its %s", least = before, operands[i].name);
    }
}
