/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: numbers of four vectors are put together in double words, a gather loads
 * the vectors, and those that a bit says are negated under it.
 */
#include "micro/formats/iq2_s_standin/grid.h"
#include "micro/families/blocks/blocks_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Twice the scale and 1, of each 16 columns, a byte. */
ROWS_INLINE tile_bytes group_scales(const uint8_t *weights)
{
    svuint16_t both = svld1ub_u16(svptrue_pat_b16(SV_VL8), weights + BLOCK_SCALES); /* a byte of two scales */
    both = svorr_u16_x(TILE_ALL, svlsl_n_u16_x(TILE_ALL, both, 4), both);
    tile_bytes scales = tile_and(svreinterpret_u8_u16(both), 15);
    return svorr_n_u8_x(TILE_ALL, svadd_u8_x(TILE_ALL, scales, scales), 1);
}

/** Of groups 2 pair and 2 pair + 1, in the lower and the upper four words; bytes past 31 find 0. */
ROWS_INLINE tile_ints pair_of_scales(tile_bytes scales, int pair)
{
    svuint32_t first = svsel_u32(svptrue_pat_b32(SV_VL4), svdup_n_u32(0xffffff00), svdup_n_u32(0xffffff01));
    svuint32_t at = svadd_n_u32_x(TILE_ALL, first, 2 * (uint32_t)pair);
    return svreinterpret_s32_u8(svtbl_u8(scales, svreinterpret_u8_u32(at)));
}

/** Columns 32 i … + 31. */
ROWS_INLINE tile_signed values_of(const uint8_t *weights, int i)
{
    const svuint64_t places = svindex_u64(8, (uint64_t)-2), lanes = svindex_u64(0, 0x0101010101010101);
    const svuint8_t bit = svreinterpret_u8_u64(svdup_n_u64(0x8040201008040201));
    svuint64_t upper = svlsl_u64_x(TILE_ALL, svdup_n_u64(weights[BLOCK_UPPER + i]), places);
    svuint64_t number = svld1ub_u64(TILE_ALL, weights + BLOCK_INDICES + 4 * i);
    number = svorr_u64_x(TILE_ALL, number, svand_n_u64_x(TILE_ALL, upper, 0x300));
    svint8_t magnitudes = svreinterpret_s8_u64(svld1_gather_u64index_u64(TILE_ALL, iq2_s_grid, number));
    uint32_t four;
    memcpy(&four, weights + BLOCK_SIGNS + 4 * i, sizeof four);
    svuint8_t signs = svtbl_u8(svreinterpret_u8_u32(svdup_n_u32(four)), svreinterpret_u8_u64(lanes));
    svbool_t negative = svcmpne_n_u8(TILE_ALL, svand_u8_x(TILE_ALL, signs, bit), 0);
    return svneg_s8_m(magnitudes, negative, magnitudes);
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    tile_bytes scales = group_scales(weights);
    tile_ints whole = tile_zero();
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        tile_ints products = tile_dot(tile_zero(), values_of(weights, i), tile_load_signed(q + 32 * i));
        whole = tile_multiply_add(whole, products, pair_of_scales(scales, i));
    }
    return block_add_whole(sum, whole, weights, a->scale * 0.125f);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/iq2_s_standin/kernel.h"

const struct kernel SELF = IQ2_S_KERNEL(1024); /* predicted: no core of aarch64 has been timed */

#include "micro/frames/gamma.h"
