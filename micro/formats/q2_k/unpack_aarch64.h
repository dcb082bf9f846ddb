/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q2_K in the scratch of gemm_unpacked_aarch64.h, of whichever order: a code times the scale of its group of 16 columns is at most 45, a
 * byte, so that a block of 256 is one integer sum; minima are another. The including file defines what is declared
 * here.
 */
#define GEMM_COLUMNS  256
#define GEMM_INTEGERS 0
#define GEMM_GROUPS   0
#define GEMM_MINIMA   1
#define GEMM_ROW      minima_row
#include "micro/families/blocks/gemm_unpacked_aarch64.h"
#include "micro/formats/q2_k/row.h"

/** Codes of bytes 16 `sixteen` … of each row. */
ROWS_INLINE void block_codes(struct gemm_quad from, size_t sixteen, uint8x16_t *q);

/** Their scales and minima: word[i] has those of groups 4 i … 4 i + 3 of each row. */
ROWS_INLINE void block_groups(struct gemm_quad from, uint8x16_t *word);

ROWS_INLINE float32x4_t block_d(struct gemm_quad from);
ROWS_INLINE float32x4_t block_dmin(struct gemm_quad from);

/** Codes of bytes 16 `sixteen` … of each row: four groups, a field each. */
ROWS_INLINE void unpack_groups(struct gemm_quad from, size_t sixteen, const uint8x16_t *scales, struct gemm_block *to)
{
    uint8x16_t codes[4];
    block_codes(from, sixteen, codes);
#pragma GCC unroll 4
    for (int field = 0; field < 4; field++) {
        size_t group = sixteen / 2 * 8 + 2 * (size_t)field + sixteen % 2;
        uint8x16_t scale[QUAD_SPREADS], q[4];
        quad_spread(scales[group / 4], (int)(group % 4), scale);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            q[i] = vmulq_u8(quad_crumb(codes[i], field), scale[i % QUAD_SPREADS]);
        gemm_put(to, from, group, q);
    }
}

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a block */
    uint8x16_t scales[4], minima[4];
    block_groups(from, scales);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        minima[i] = vshrq_n_u8(scales[i], 4);
        scales[i] = vandq_u8(scales[i], vdupq_n_u8(15));
    }
    quad_from_fours(minima);
    gemm_put_quad(to->minima, from.number, minima);
#pragma GCC unroll 4
    for (size_t sixteen = 0; sixteen < 4; sixteen++)
        unpack_groups(from, sixteen, scales, to);
    vst1q_f32(to->d + 4 * from.number, block_d(from));
    vst1q_f32(to->dmin + 4 * from.number, block_dmin(from));
}
