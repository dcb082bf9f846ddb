/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q2_k.mask over four rows side by side: fields of weight 1, 4 and 16 stay in their place, and sums of each
 * are joined once a block; the upper one, which would be negative there, is shifted down. Each 16 products meet their scale by element.
 */
#include "micro/kernels/blocks_neon.h"
#include "micro/kernels/q2_k/layout.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Numbers of four bits as words, 16 groups of them. */
struct words {
    int32x4_t of[4];
};

ROWS_INLINE struct words widen(uint8x16_t bytes)
{
    uint16x8_t low = vmovl_u8(vget_low_u8(bytes)), high = vmovl_high_u8(bytes);
    return (struct words){
        {vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(low))), vreinterpretq_s32_u32(vmovl_high_u16(low)),
         vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(high))), vreinterpretq_s32_u32(vmovl_high_u16(high))}};
}

/** 16 codes of a group, `first` or `second` of four scales. */
#define ADD(sum, codes, a, scales, number)                                                                             \
    vmlaq_laneq_s32(sum, block_dot(vdupq_n_s32(0), vreinterpretq_s8_u8(codes), vld1q_s8(a)), scales, number)

/** What minima times the sums of their groups come to. */
ROWS_INLINE int32x4_t minima_of(uint8x16_t group_bytes, const int16_t *sums)
{
    uint8x16_t minima = vshrq_n_u8(group_bytes, 4);
    int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(minima)));
    int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(minima));
    int32x4_t sum = vmull_s16(vget_low_s16(low), vld1_s16(sums));
    sum = vmlal_high_s16(sum, low, vld1q_s16(sums));
    sum = vmlal_s16(sum, vget_low_s16(high), vld1_s16(sums + 8));
    return vmlal_high_s16(sum, high, vld1q_s16(sums + 8));
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    uint8x16_t group_bytes = vld1q_u8(weights);
    struct words scales = widen(vandq_u8(group_bytes, vdupq_n_u8(15)));
    int32x4_t ones = vdupq_n_s32(0), fours = ones, sixteens = ones;
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++, q += 128) {
        uint8x16_t first = vld1q_u8(weights + CODES + 32 * half), second = vld1q_u8(weights + CODES + 32 * half + 16);
        int32x4_t low = scales.of[2 * half], high = scales.of[2 * half + 1];
        ones = ADD(ones, vandq_u8(first, mask), q, low, 0);
        ones = ADD(ones, vandq_u8(second, mask), q + 16, low, 1);
        fours = ADD(fours, vandq_u8(first, vshlq_n_u8(mask, 2)), q + 32, low, 2);
        fours = ADD(fours, vandq_u8(second, vshlq_n_u8(mask, 2)), q + 48, low, 3);
        sixteens = ADD(sixteens, vandq_u8(first, vshlq_n_u8(mask, 4)), q + 64, high, 0);
        sixteens = ADD(sixteens, vandq_u8(second, vshlq_n_u8(mask, 4)), q + 80, high, 1);
        ones = ADD(ones, vshrq_n_u8(first, 6), q + 96, high, 2);
        ones = ADD(ones, vshrq_n_u8(second, 6), q + 112, high, 3);
    }
    int32x4_t whole = vsraq_n_s32(vsraq_n_s32(ones, fours, 2), sixteens, 4);
    sum = vfmaq_n_f32(sum, vcvtq_f32_s32(whole), block_scale(weights + D) * a->scale);
    return vfmsq_n_f32(sum, vcvtq_f32_s32(minima_of(group_bytes, a->sums)), block_scale(weights + DMIN) * a->scale);
}

#include "micro/kernels/block_rows.h"
#include "micro/kernels/q2_k/row.h"

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
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = minima_row,
};
