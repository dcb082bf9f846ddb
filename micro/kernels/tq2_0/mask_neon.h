/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay in their place, but the upper one, which would be negative there; sums of weight 1, 4 and 16 are
 * joined once a block, and the sum of the activations taken off.
 */
#include "micro/kernels/blocks_neon.h"
#include "micro/kernels/tq2_0/layout.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    int32x4_t ones = {-a->sum}, fours = vdupq_n_s32(0), sixteens = fours;
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        uint8x16_t codes = vld1q_u8(weights + 16 * i);
        const int8_t *columns = q + i / 2 * 128 + i % 2 * 16;
        ones = block_dot(ones, vreinterpretq_s8_u8(vandq_u8(codes, mask)), vld1q_s8(columns));
        fours = block_dot(fours, vreinterpretq_s8_u8(vandq_u8(codes, vshlq_n_u8(mask, 2))), vld1q_s8(columns + 32));
        sixteens =
            block_dot(sixteens, vreinterpretq_s8_u8(vandq_u8(codes, vshlq_n_u8(mask, 4))), vld1q_s8(columns + 64));
        ones = block_dot(ones, vreinterpretq_s8_u8(vshrq_n_u8(codes, 6)), vld1q_s8(columns + 96));
    }
    int32x4_t whole = vsraq_n_s32(vsraq_n_s32(ones, fours, 2), sixteens, 4);
    return vfmaq_n_f32(sum, vcvtq_f32_s32(whole), block_scale(weights + 64) * a->scale);
}

#include "micro/kernels/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_NAME,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};
