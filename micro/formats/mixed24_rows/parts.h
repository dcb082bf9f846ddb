/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the five parts of a row of mixed24_rows lie, and their prefetch, for kernels that multiply row after row.
 */
#ifndef MICRO_FORMATS_MIXED24_ROWS_PARTS_H
#define MICRO_FORMATS_MIXED24_ROWS_PARTS_H

#include "micro/frames/rows.h"
#include "micro/quantization/mixed24_rows_layout.h"

/** Where a row's parts lie from one of its steps on. */
struct row_parts {
    const uint8_t *pieces, *halves, *words, *scale2, *zero2;
};

/** Of row 16 and above of a panel: of the panels after it. */
ROWS_INLINE struct row_parts row_parts(const uint8_t *panel, size_t steps, size_t row)
{
    uintptr_t at = (uintptr_t)panel + row / MIXED24_ROWS * steps * MIXED24_STEP_BYTES;
    row %= MIXED24_ROWS;
    return (struct row_parts){
        .pieces = (const uint8_t *)(at + MIXED24_ROWS_PIECES(steps) + row * steps * MIXED24_ROWS_PIECE_BYTES),
        .halves = (const uint8_t *)(at + MIXED24_ROWS_HALVES(steps) + row * steps * MIXED24_ROWS_HALF_BYTES),
        .words = (const uint8_t *)(at + MIXED24_ROWS_WORDS(steps) + row * steps * 2),
        .scale2 = (const uint8_t *)(at + MIXED24_ROWS_SCALE2(steps)),
        .zero2 = (const uint8_t *)(at + MIXED24_ROWS_ZERO2(steps)),
    };
}

ROWS_INLINE void advance(struct row_parts *parts, size_t steps)
{
    parts->pieces += steps * MIXED24_ROWS_PIECE_BYTES;
    parts->halves += steps * MIXED24_ROWS_HALF_BYTES;
    parts->words += 2 * steps;
    parts->scale2 += 8 * steps;
    parts->zero2 += 4 * steps;
}

ROWS_INLINE void prefetch_lines(const uint8_t *at, size_t bytes)
{
    for (size_t line = 0; line < bytes; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)at + line));
}

/** The prefetch distance in whole rows. */
ROWS_INLINE size_t rows_ahead(const struct gemv_slice *slice)
{
    size_t row_bytes = slice->steps * MIXED24_ROWS_PIECE_BYTES;
    return (slice->prefetch_bytes + row_bytes - 1) / row_bytes;
}

/** All parts of some steps of a row that is to come; those that 16 rows share with the first of them. */
ROWS_INLINE void prefetch_steps(const struct row_parts *to_come, size_t steps, bool shared)
{
    prefetch_lines(to_come->pieces, steps * MIXED24_ROWS_PIECE_BYTES);
    prefetch_lines(to_come->halves, steps * MIXED24_ROWS_HALF_BYTES);
    prefetch_lines(to_come->words, 2 * steps);
    if (shared) {
        prefetch_lines(to_come->scale2, 8 * steps);
        prefetch_lines(to_come->zero2, 4 * steps);
    }
}

#endif
