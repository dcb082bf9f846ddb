/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel w<p>.a<q>_any: bit_serial_any_avx512.h, called with the bits of its format and its name.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ANY_KERNEL_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ANY_KERNEL_H

#include "micro/families/bit_serial/bit_serial_any_avx512.h"
#include "micro/families/bit_serial/bit_serial_gemm.h"

static void gemv(const struct gemv_slice *slice)
{
    bits_any_gemv(slice, (struct bits_widths){WEIGHT_BITS, ACTIVATION_BITS});
}

#define BITS_TILE(PANELS, TOKENS)                                                                                      \
    static void bits_tile_##PANELS##_##TOKENS(const struct bits_cut *cut)                                              \
    {                                                                                                                  \
        bits_any(cut, (struct bits_widths){WEIGHT_BITS, ACTIVATION_BITS}, PANELS, TOKENS);                             \
    }
#define BITS_TILES_OF(PANELS) BITS_TILE(PANELS, 1) BITS_TILE(PANELS, 2) BITS_TILE(PANELS, 4) BITS_TILE(PANELS, 8)
BITS_TILES_OF(1)
BITS_TILES_OF(2)

BITS_VARIANT(2, 8, r16t8, 1024) /* 8 bits: 16 KiB of weights, which all pairs of planes and all tokens read */

/* ---- its gamma: half a cut of 4 panels, whose weights leave room in L1; the register block has its bits as constants here ---- */

#define STEPS_TOGETHER  (BITS_ANY_STEPS / 2)
#define PANELS_TOGETHER BITS_ANY_PANELS
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_step_sums

struct bits_step_sums {
    int32_t differing[BITS_ANY_PANELS * BITS_ROWS];
    uint32_t columns;
};

BITS_INLINE struct bits_step_sums step_zero(void)
{
    return (struct bits_step_sums){{0}, 0};
}

BITS_INLINE struct bits_step_sums add_block(struct bits_step_sums sums, const uint8_t *weights,
                                            const struct bits_step_operand *operand)
{
    int32_t differing[BITS_ANY_PANELS * BITS_ROWS];
    const struct bits_cut cut = {
        .weights = weights,
        .panel_bytes = STEPS_TOGETHER * STEP_BYTES,
        .group = 1,
        .planes = bits_planes(operand),
        .whole = STEPS_TOGETHER,
        .steps = STEPS_TOGETHER,
        .sums = differing,
    };
    bits_tile_any(&cut, (struct bits_widths){WEIGHT_BITS, ACTIVATION_BITS}, 1, BITS_ANY_PANELS, 1);
    for (size_t row = 0; row < BITS_ANY_PANELS * BITS_ROWS; row++)
        sums.differing[row] = add_wrapping(sums.differing[row], differing[row]);
    sums.columns += STEPS_TOGETHER * STEP_COLUMNS;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_step_sums sums)
{
    for (size_t panel = 0; panel < BITS_ANY_PANELS; panel++)
        bits_finish_step(rows + panel * BITS_ROWS, sums.differing + panel * BITS_ROWS,
                         (struct bits_token){.columns = sums.columns});
}

#endif
