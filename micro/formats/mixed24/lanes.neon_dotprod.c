/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four of a panel's sixteen rows to a register, whose lanes are rows: sdot by element. The sum of 16 products of 2-bit codes, less the
 * row's zero times the sum of the activations, is at most 16 x 3 x 127: what is done with it, and with zeros and scales as they lie, is
 * done with words of 16 bits and eight rows at a time, until the product with the scale widens it.
 */
#include "micro/isa/registers_aarch64.h"

#define BLOCK_VECTORS 4
#include "micro/families/mixed24/mixed24_operand_neon.h"
#include "micro/isa/quads_aarch64.h"

#define BLOCK_ROWS        MIXED24_ROWS
#define BLOCK_COLUMNS     MIXED24_COLUMNS
#define BLOCK_BYTES       MIXED24_STEP_BYTES
#define BLOCK_ACTIVATIONS struct mixed24_operand
#define BLOCK_VALUE       mixed24_activation
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0
#define BLOCK_STORE(out, panel, sum)                                                                                   \
    do {                                                                                                               \
        for (int vector = 0; vector < BLOCK_VECTORS; vector++)                                                         \
            vst1q_f32((out) + MIXED24_ROWS * (panel) + 4 * vector, (sum).of[vector]);                                  \
    } while (0)

/** 16 columns of 2 bits of four rows. */
ROWS_INLINE int32x4_t products2(uint8x16_t codes, int8x16_t a)
{
    uint8x16_t w[4] = {quad_crumb(codes, 0), quad_crumb(codes, 1), quad_crumb(codes, 2), quad_crumb(codes, 3)};
    return tile_dot_fours(vdupq_n_s32(0), w, a);
}

/** Of the words of eight rows. */
ROWS_INLINE int16x8_t zeros_of(uint16x8_t words, int group)
{
    words = group == 0 ? vshlq_n_u16(words, 14) : group == 1 ? vshlq_n_u16(words, 12) : vshlq_n_u16(words, 10);
    return vreinterpretq_s16_u16(vshrq_n_u16(words, 14));
}

ROWS_INLINE int16x8_t scales_of(uint16x8_t words, int group)
{
    words = group == 0   ? vshrq_n_u16(vshlq_n_u16(words, 16 - MIXED24_SCALE_SHIFT_1), 12)
            : group == 1 ? vshrq_n_u16(vshlq_n_u16(words, 16 - MIXED24_SCALE_SHIFT_2), 13)
                         : vshrq_n_u16(words, MIXED24_SCALE_SHIFT_2);
    return vreinterpretq_s16_u16(words);
}

/** Group 0, 1 or 2 of rows 8 pair …; at: of their part of a line. */
ROWS_INLINE void add_group2(float32x4_t *sum, const uint8_t *at, uint16x8_t words, int group, int8_t zero2,
                            float32x4_t scale, const struct mixed24_operand *a)
{
    int8x16_t activations = vld1q_s8(a->q + MIXED24_GROUP * group);
    const uint8_t *codes = at + MIXED24_CODES2 + 64 * group;
    int32x4_t low = products2(vld1q_u8(codes), activations), high = products2(vld1q_u8(codes + 16), activations);
    int16x8_t whole = vuzp1q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high));
    int16x8_t factor = vsubq_s16(scales_of(words, group), vdupq_n_s16(zero2));
    whole = vmlaq_n_s16(whole, zeros_of(words, group), (int16_t)a->starts[group][1]);
    low = vmull_s16(vget_low_s16(whole), vget_low_s16(factor));
    high = vmull_high_s16(whole, factor);
    sum[0] = vfmaq_f32(sum[0], vcvtq_f32_s32(low), scale);
    sum[1] = vfmaq_f32(sum[1], vcvtq_f32_s32(high), scale);
}

/** Group 3 of four rows; start: what the zero of all of them makes of its activations. */
ROWS_INLINE float32x4_t add_group4(float32x4_t sum, const uint8_t *at, int32_t start, float32x4_t scale,
                                   const struct mixed24_operand *a)
{
    uint8x16_t first = vld1q_u8(at + MIXED24_CODES4), second = vld1q_u8(at + MIXED24_CODES4 + 64), w[4];
    w[0] = vandq_u8(first, vdupq_n_u8(15));
    w[1] = vshrq_n_u8(first, 4);
    w[2] = vandq_u8(second, vdupq_n_u8(15));
    w[3] = vshrq_n_u8(second, 4);
    int32x4_t whole = tile_dot_fours(vdupq_n_s32(start), w, vld1q_s8(a->q + 3 * MIXED24_GROUP));
    return vfmaq_f32(sum, vcvtq_f32_s32(whole), scale);
}

/* Two loops: unrolled, four panels would be more code than a core keeps decoded. Their count is hidden. */
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct mixed24_operand *a)
{
    const float32x4_t scale2 = vmulq_n_f32(tile_halves(weights + MIXED24_SCALE2), a->scale);
    const int8_t *zero2 = (const int8_t *)weights + MIXED24_ZERO2;
    const int32_t start = zero2[3] * a->minus_sum;
    size_t pairs = BLOCK_VECTORS / 2;
    __asm__("" : "+r"(pairs));
    for (size_t pair = 0; pair < pairs; pair++) {
        const uint8_t *at = weights + 32 * pair;
        float32x4_t *to = &sum.of[2 * pair];
        uint16x8_t words = vreinterpretq_u16_u8(vld1q_u8(weights + MIXED24_WORDS + 16 * pair));
        add_group2(to, at, words, 0, zero2[0], vdupq_laneq_f32(scale2, 0), a);
        add_group2(to, at, words, 1, zero2[1], vdupq_laneq_f32(scale2, 1), a);
        add_group2(to, at, words, 2, zero2[2], vdupq_laneq_f32(scale2, 2), a);
        to[0] = add_group4(to[0], at, start, vdupq_laneq_f32(scale2, 3), a);
        to[1] = add_group4(to[1], at + 16, start, vdupq_laneq_f32(scale2, 3), a);
    }
    return sum;
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    mixed24_make(activations, k, prepared);
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
    .float_sums = 16,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct mixed24_operand),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
