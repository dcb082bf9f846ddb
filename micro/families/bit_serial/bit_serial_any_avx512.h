/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products with VPOPCNTDQ of any p, q <= 8: bits are arguments, and nothing is compiled for a pair of them. Register block
 * and operands are those of kernels made for their pair; what is lost are a loop's constants and a GEMV with a register for each level.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ANY_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ANY_AVX512_H

#include <immintrin.h>

#include "micro/families/bit_serial/bit_serial_quantize_avx512.h"

#include "micro/families/bit_serial/bit_serial_tile_avx512.h"

enum {
    BITS_ANY_PANELS = 4,
    BITS_ANY_STEPS = 16
}; /* of a GEMV's cut: 32 KiB with 8 bits, read again for each bit of x */

/**
 * Sums of differing bits. Register blocks: 1 or 2 panels with 1, 2, 4 or 8 tokens, and 4 panels with 1 token. One copy for
 * all kernels whose rows have the tiles of one of them, and none for the constants that a caller has.
 */
#ifdef GEMM_TILES_BORROWED
#define bits_any GEMM_TILES_BORROWED
void bits_any(const struct bits_cut *cut, struct bits_widths of, int panels, int tokens);
#else
#ifdef GEMM_TILES_LENT
#define bits_any GEMM_TILES_LENT
#define BITS_ANY_SCOPE
#else
#define BITS_ANY_SCOPE static
#endif
BITS_ANY_SCOPE void bits_any(const struct bits_cut *cut, struct bits_widths of, int panels, int tokens);

__attribute__((noipa)) BITS_ANY_SCOPE void bits_any(const struct bits_cut *cut, struct bits_widths of, int panels,
                                                    int tokens)
{
#define BITS_ANY(PANELS, TOKENS)                                                                                       \
    case 16 * PANELS + TOKENS:                                                                                         \
        bits_tile_any(cut, of, cut->group, PANELS, TOKENS);                                                            \
        break;
    switch (16 * panels + tokens) {
        BITS_ANY(1, 1)
        BITS_ANY(1, 2)
        BITS_ANY(1, 4)
        BITS_ANY(1, 8)
        BITS_ANY(2, 1)
        BITS_ANY(2, 2)
        BITS_ANY(2, 4)
        BITS_ANY(2, 8)
        BITS_ANY(4, 1)
    default: __builtin_unreachable();
    }
#undef BITS_ANY
}
#endif

/** A cut of some panels, and what a GEMV reads after it. */
BITS_INLINE struct bits_cut bits_any_cut(const struct gemv_slice *slice, struct bits_widths of, size_t panel,
                                         size_t panels, size_t step)
{
    const size_t steps = slice->k / BITS_STEP_COLUMNS, step_bytes = (size_t)of.weights * BITS_PLANE_BYTES;
    const size_t whole = bits_tokens(slice->prepared)->columns / BITS_STEP_COLUMNS;
    const uint8_t *weights = slice->weights + panel * slice->panel_bytes;
    const uint8_t *ahead = step + BITS_ANY_STEPS < steps ? weights + (step + BITS_ANY_STEPS) * step_bytes
                                                         : weights + panels * slice->panel_bytes;
    return (struct bits_cut){
        .weights = weights + step * step_bytes,
        .panel_bytes = slice->panel_bytes,
        .group = 1,
        .planes = bits_planes(slice->prepared) + step * (size_t)of.activations,
        .masks = bits_masks(slice->prepared, slice->k, 1, (size_t)of.activations) + step,
        .whole = whole < step                    ? 0
                 : whole - step < BITS_ANY_STEPS ? whole - step
                                                 : BITS_ANY_STEPS,
        .steps = steps - step < BITS_ANY_STEPS ? steps - step : BITS_ANY_STEPS,
        .ahead = slice->prefetch_bytes ? ahead : NULL,
    };
}

/** gemv() of any bits: 4 panels side by side, cut by cut, each of which stays in the first-level cache for all pairs of planes. */
static void bits_any_gemv(const struct gemv_slice *slice, struct bits_widths of)
{
    const struct bits_token token = *bits_tokens(slice->prepared);
    for (size_t panel = 0, panels; panel < slice->panels; panel += panels) {
        panels = slice->panels - panel >= BITS_ANY_PANELS ? BITS_ANY_PANELS : 1;
        int32_t total[BITS_ANY_PANELS * BITS_ROWS] = {0}, sums[BITS_ANY_PANELS * BITS_ROWS];
        for (size_t step = 0; step < slice->k / BITS_STEP_COLUMNS; step += BITS_ANY_STEPS) {
            struct bits_cut cut = bits_any_cut(slice, of, panel, panels, step);
            cut.sums = sums;
            bits_any(&cut, of, (int)panels, 1);
            for (size_t row = 0; row < panels * BITS_ROWS; row++)
                total[row] = add_wrapping(total[row], sums[row]);
        }
        for (size_t row = 0; row < panels * BITS_ROWS; row++)
            slice->out_f32[panel * BITS_ROWS + row] =
                bits_result(token, (uint32_t)of.weights, (uint32_t)of.activations, total[row]);
    }
}

#endif
