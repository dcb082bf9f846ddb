/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"
#include "micro/reference.h"
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

/** What the checks of a GEMV and of a GEMM put between guard pages, and how they seal it. */

/** Bytes rounded up to whole lines, as far as activations may be read. */
size_t guarded_lines(size_t bytes);

/** Whether all bytes from one on are the canary's. */
bool guarded_is_all(const uint8_t *from, const uint8_t *end, uint8_t canary);

/** guarded_within() of a kernel that says so. */
int32_t guarded_within_wraps(const struct kernel *kernel, size_t column, int32_t integer);

/**
 * What stands for an activation of the worst case in a column, of a kernel that says in wraps_beyond within which its sums do
 * not wrap: int8 that much smaller, of f32 zeros between those that remain. Others get it as it is.
 */
static inline int32_t guarded_within(const struct kernel *kernel, size_t column, int32_t integer)
{
    return kernel->wraps_beyond > 0 ? guarded_within_wraps(kernel, column, integer) : integer;
}

/** The ends of the range of weights, to be packed. */
void guarded_extremes(const struct format *format, float ends[2]);

/** Random valid panels of K columns. */
void guarded_fill_random(const struct format *format, size_t panels, size_t k, uint8_t *packed, uint64_t *state);

/**
 * `low` in the lower half of each panel's rows, `high` in the upper half; in turn where a panel is one row.
 * @return 0 or -ENOMEM
 */
int guarded_fill_constant(const struct format *format, size_t panels, size_t k, float low, float high, uint8_t *packed);

/**
 * Weights that the reference read for earlier operands of the same format, so that the kernels of a format whose tests draw the same
 * weights read them once. Of one format at a time; {0} before, guarded_kept_release() after the last.
 */
enum { GUARDED_KEPT = 64 };
struct guarded_kept {
    const struct format *format;
    size_t count, weights_kept;
    struct guarded_kept_weights {
        size_t panels, k;
        uint8_t *packed; /* that they were read from */
        double *weights;
    } each[GUARDED_KEPT];
};

void guarded_kept_release(struct guarded_kept *kept);

/** Weights as the reference reads them: once for all activations that they are multiplied with, since that takes most of a check's time. */
struct guarded_decoded {
    double *weights;           /* [rows][k], but for panels that repeat; NULL: not read, or too many to keep */
    bool is_current;           /* of the weights that are there; who changes them clears it */
    bool is_kept;              /* weights are those of kept */
    struct guarded_kept *kept; /* NULL: read anew for each operand */
};

void guarded_decoded_release(struct guarded_decoded *decoded);

/**
 * What the rows of all panels must be with these activations, [panels][rows_per_panel]. A panel with the bytes of one of the two
 * before it, as most of guarded_fill_constant's have, has their rows.
 */
void guarded_expect_panels(struct guarded_decoded *decoded, const struct kernel *kernel, size_t panels, size_t k,
                           const uint8_t *packed, const void *activations, const void *prepared,
                           struct reference_row *expected);

/** Of a row of such panels, whether its weights are the low ones. */
static inline int guarded_row_is_low(const struct format *format, size_t row)
{
    uint32_t rows = format->rows_per_panel;
    return rows == 1 ? row % 2 == 0 : row % rows < rows / 2;
}
