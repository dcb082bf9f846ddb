/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() on aarch64 of blocks of 32 columns with a scale whose rows are interleaved: a lane of a sum is a row, so that one conversion
 * and one scale serve as many rows as a register has lanes [arm-kernels-codebooks, 4.1]. Of rows interleaved by four bytes activations
 * come by element; by eight, a register has two words of a row, which meet eight activations in every place and are added at the end
 * of the block; without dot products a register of words is then of one row, by pairs of columns. The including .c defines, before it,
 *
 *   BLOCK_ROWS, BLOCK_BYTES, BLOCK_CODES, BLOCK_CHUNK  by its kernels.def
 *   CODE_BYTES, CODE_BITS, CODE_TURNED, decode()       as gemm_block32_aarch64.h has them
 *   CODE_OFFSET                                        by which decoded weights are too large, if they are
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_PANELS_AARCH64_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_PANELS_AARCH64_H

#include "micro/isa/registers_aarch64.h"

#define BLOCK_VECTORS ((BLOCK_ROWS + TILE_ROWS - 1) / TILE_ROWS)
#include "micro/families/blocks/blocks_neon.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0
#ifndef CODE_OFFSET
#define CODE_OFFSET 0
#endif

#if defined __ARM_FEATURE_SVE && BLOCK_ROWS == 4
#include "micro/families/block32/block32_half_panels_sve256.h"
#else
#define BLOCK_STORE(out, panel, sum)                                                                                   \
    do {                                                                                                               \
        for (int vector = 0; vector < BLOCK_VECTORS; vector++)                                                         \
            tile_put_floats((out) + BLOCK_ROWS * (panel) + TILE_ROWS * vector, (sum).of[vector]);                      \
    } while (0)

#if BLOCK_CHUNK == 4
/** A block of TILE_ROWS rows: columns 0-15, 16-31. */
ROWS_INLINE tile_ints panel_sums(const uint8_t *codes, const struct q8_32 *a)
{
    tile_ints whole = CODE_OFFSET ? tile_all_ints(-CODE_OFFSET * a->sum) : tile_zero();
    tile_bytes low[4], high[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
#if CODE_BYTES == 16
        decode(tile_load(codes + 4 * BLOCK_ROWS * i), &low[i], &high[i]);
#else
        low[i] = tile_turn_over(tile_load(codes + 4 * BLOCK_ROWS * i), CODE_TURNED);
        high[i] = tile_turn_over(tile_load(codes + 4 * BLOCK_ROWS * (i + 4)), CODE_TURNED);
#endif
    }
    return tile_dot_fours(tile_dot_fours(whole, low, tile_load_sixteen(a->q)), high, tile_load_sixteen(a->q + 16));
}
#elif !defined __ARM_FEATURE_DOTPROD
/** Eight columns of two rows, and eight 16 columns after them: a row's sums, by pairs of columns, to sum[2]. */
ROWS_INLINE void add_eights(int32x4_t *sum, uint8x16_t codes, const int8_t *a)
{
    uint8x16_t low, high;
    decode(codes, &low, &high);
    int8x16_t first = vreinterpretq_s8_u8(low), second = vreinterpretq_s8_u8(high);
    int8x16_t a0 = vreinterpretq_s8_u64(vld1q_dup_u64((const uint64_t *)(const void *)a));
    int8x16_t a1 = vreinterpretq_s8_u64(vld1q_dup_u64((const uint64_t *)(const void *)(a + 16)));
    int16x8_t row0 = vmull_s8(vget_low_s8(first), vget_low_s8(a0)), row1 = vmull_high_s8(first, a0);
    sum[0] = vpadalq_s16(sum[0], vmlal_s8(row0, vget_low_s8(second), vget_low_s8(a1)));
    sum[1] = vpadalq_s16(sum[1], vmlal_high_s8(row1, second, a1));
}

ROWS_INLINE int32x4_t panel_sums(const uint8_t *codes, const struct q8_32 *a)
{
    int32x4_t row[4] = {tile_zero(), tile_zero(), tile_zero(), tile_zero()};
#pragma GCC unroll 2
    for (int eight = 0; eight < 2; eight++) {
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++)
            add_eights(row + 2 * i, vld1q_u8(codes + 8 * BLOCK_ROWS * eight + 16 * i), a->q + 8 * eight);
    }
    return vpaddq_s32(vpaddq_s32(row[0], row[1]), vpaddq_s32(row[2], row[3]));
}
#else
ROWS_INLINE tile_ints panel_sums(const uint8_t *codes, const struct q8_32 *a)
{
    tile_ints half[2] = {tile_zero(), tile_zero()};
#pragma GCC unroll 2
    for (int eight = 0; eight < 2; eight++) {
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++) {
            tile_bytes low, high;
            decode(tile_load(codes + 8 * BLOCK_ROWS * eight + TILE_BYTES * i), &low, &high);
            half[i] = tile_dot_eights(half[i], low, a->q + 8 * eight);
            half[i] = tile_dot_eights(half[i], high, a->q + 16 + 8 * eight);
        }
    }
    return tile_add_neighbours(half[0], half[1]);
}
#endif

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
#pragma GCC unroll 4
    for (int vector = 0; vector < BLOCK_VECTORS; vector++) {
        tile_ints whole = panel_sums(weights + BLOCK_CODES + TILE_ROWS * BLOCK_CHUNK * vector, a);
        tile_floats scales = tile_halves(weights + 2 * TILE_ROWS * vector);
        sum.of[vector] =
            TILE_ADD(sum.of[vector], whole, CODE_BITS, tile_times(scales, tile_unscaled(a->scale, CODE_BITS)));
    }
    return sum;
}
#endif

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_make(activations, k, prepared);
}

#ifndef SELF_DIFFERS /* of a rendering */
#define SELF_DIFFERS NULL
#endif

#define BLOCK32_PANELS_KERNEL                                                                                          \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .differs = SELF_DIFFERS, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32,           \
        .gives = KERNEL_GIVES_F32, .float_sums = 32, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                      \
        .prepared_bytes_per_step = sizeof(struct q8_32), .prepare = prepare, .row = block_row,                         \
    }

#endif
