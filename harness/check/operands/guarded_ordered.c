/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/operands/guarded_ordered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/operands/guarded_weights.h"
#include "micro/quantization/column_order.h"

enum { LINE = 64 };

/** Elements from one token to the next: just what may be read. */
static size_t stride_of(const struct guarded_ordered *ordered)
{
    size_t element = kernel_activation_bytes(ordered->kernel);
    return (ordered->columns * element + LINE - 1) / LINE * LINE / element;
}

int guarded_ordered_make(struct guarded_ordered *ordered, const struct kernel *kernel, size_t k, size_t tokens,
                         int guard_at_end)
{
    size_t groups = column_order_groups(kernel->format, k);
    *ordered = (struct guarded_ordered){
        .kernel = kernel, .columns = format_columns(kernel->format, k), .tokens = tokens, .at_end = guard_at_end};
    if (!kernel->ordered.prepare && !kernel->ordered.prepare_many)
        return 0;
    if (memory_guarded_reserve(groups * sizeof(uint16_t), guard_at_end, &ordered->order) ||
        memory_guarded_reserve(tokens * stride_of(ordered) * kernel_activation_bytes(kernel), guard_at_end,
                               &ordered->source))
        return -ENOMEM;
    column_order_draw(kernel->format, ordered->columns, ordered->order.bytes);
    return memory_guarded_seal(&ordered->order, true) ? -ENOMEM : 0;
}

void guarded_ordered_release(struct guarded_ordered *ordered)
{
    memory_guarded_release(&ordered->order);
    memory_guarded_release(&ordered->source);
}

/** Where the order takes each group from, of all tokens. */
static uint8_t *scatter(const struct guarded_ordered *ordered, const struct guarded_ordered_call *call)
{
    const uint16_t *order = ordered->order.bytes;
    size_t element = kernel_activation_bytes(ordered->kernel), bytes = ordered->kernel->format->order_columns * element,
           token_bytes = stride_of(ordered) * element;
    size_t tokens = call->tokens ? call->tokens : 1;
    uint8_t *source =
        (uint8_t *)ordered->source.bytes + (ordered->at_end ? (ordered->tokens - tokens) * token_bytes : 0);
    for (size_t token = 0; token < tokens; token++) {
        const uint8_t *from = (const uint8_t *)call->activations + token * call->stride * element;
        for (size_t i = 0; i < ordered->columns * element / bytes; i++)
            memcpy(source + token * token_bytes + order[i] * bytes, from + i * bytes, bytes);
    }
    return source;
}

/** More arguments than a checked call has. */
struct many {
    const struct guarded_ordered *ordered;
    const uint8_t *source;
    size_t tokens;
    uint8_t *prepared;
};

static void prepare_many(const struct many *many)
{
    const struct guarded_ordered *ordered = many->ordered;
    ordered->kernel->ordered.prepare_many(many->source, stride_of(ordered), ordered->columns, many->tokens,
                                          ordered->order.bytes, many->prepared);
}

static enum call_fault compare(const struct guarded_ordered_call *call, const uint8_t *expected)
{
    for (size_t i = call->bytes; i < call->bytes + call->behind; i++) {
        if (call->prepared[i] != call->canary)
            return CALL_WROTE_OUTSIDE;
    }
    return memcmp(call->prepared, expected, call->bytes) == 0 ? CALL_CLEAN : CALL_OTHER_OPERAND;
}

enum call_fault guarded_ordered_prepare(struct guarded_ordered *ordered, const struct guarded_ordered_call *call,
                                        struct checked_call_report *report)
{
    const struct kernel_ordered *entry = &ordered->kernel->ordered;
    if (call->tokens ? !entry->prepare_many : !entry->prepare)
        return CALL_CLEAN;
    uint8_t *expected = malloc(call->bytes);
    if (!expected || memory_guarded_seal(&ordered->source, false)) {
        free(expected);
        return CALL_NO_MEMORY;
    }
    memcpy(expected, call->prepared, call->bytes);
    memset(call->prepared, call->canary, call->bytes + call->behind);
    uint8_t *source = scatter(ordered, call);
    const struct many many = {ordered, source, call->tokens, call->prepared};
    struct checked_call checked = {
        (const void *)(uintptr_t)entry->prepare,
        {(uintptr_t)source, ordered->columns, (uintptr_t)ordered->order.bytes, (uintptr_t)call->prepared, 0}};
    if (call->tokens)
        checked = (struct checked_call){(const void *)(uintptr_t)prepare_many, {(uintptr_t)&many, 0, 0, 0, 0}};
    enum call_fault fault = memory_guarded_seal(&ordered->source, true) ? CALL_NO_MEMORY : CALL_CLEAN;
    if (fault == CALL_CLEAN) {
        checked_call_report_of(&checked, ordered->kernel->isa, report);
        fault = report->fault == CALL_CLEAN ? compare(call, expected) : report->fault;
    }
    free(expected);
    return fault;
}
