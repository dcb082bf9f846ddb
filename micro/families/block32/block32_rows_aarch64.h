/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of 32 on aarch64, four side by side: codes become signed bytes, of both nibbles of 16 bytes where they are of 4 bits, and meet
 * 32 activations. One text for Neon and for SVE of 256 bits, where a register has a whole block. The including .c defines,
 * before it,
 *
 *   CODE_BYTES        of a block: 16, with codes of columns j and j + 16 in a byte, or 32, which are the weights
 *
 *   where CODE_BYTES is 16 the format's codes_aarch64.h, with decode(), CODE_BITS and, for SVE, decode_halves(), and HALF, default 1,
 *   what a 1 stands for among the upper 16 columns that decode_halves() leaves
 */
#include "micro/families/blocks/blocks_neon.h"
#include "micro/isa/registers_aarch64.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   (BLOCK_BYTES < 32 ? 4 : 2) /* of a row before the next row's turn: about a cache line */
#define ROW_BY_ROW        0

#ifndef HALF
#define HALF 1.0f
#endif

#ifdef __ARM_FEATURE_SVE
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
#if CODE_BYTES == 32
    tile_bytes w = tile_load(weights + 2);
#else
    tile_bytes w = decode_halves(svld1rq_u8(TILE_ALL, weights + 2));
#endif
    tile_ints whole = svdot_s32(tile_zero(), svreinterpret_s8_u8(w), svld1_s8(TILE_ALL, a->q));
    static const float halves[8] = {1, 1, 1, 1, HALF, HALF, HALF, HALF};
    tile_floats scale = tile_times(tile_load_floats(halves), a->scale);
    return TILE_ADD(sum, whole, 0, tile_scale(block_scales(weights), scale));
}
#else
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
#if CODE_BYTES == 32
    const int bits = 0;
    uint8x16_t low = vld1q_u8(weights + 2), high = vld1q_u8(weights + 18);
#else
    const int bits = CODE_BITS;
    uint8x16_t low, high;
    decode(vld1q_u8(weights + 2), &low, &high);
#endif
    int32x4_t whole = tile_dot(vdupq_n_s32(0), vreinterpretq_s8_u8(low), vld1q_s8(a->q));
    whole = tile_dot(whole, vreinterpretq_s8_u8(high), vld1q_s8(a->q + 16));
    return TILE_ADD(sum, whole, bits, vdupq_n_f32(block_scale(weights) * a->scale));
}
#endif

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};
