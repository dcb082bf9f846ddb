/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of ternary blocks of 256 as llama.cpp has it on Neon: a row after the other, nothing prefetched, unsigned codes times signed activations
 * added to two registers: by sdot to words of 32 bits, or without it by smlal and smlal2 to words of 16, which hold a block (codes up to 3 reach
 * 6096 in each, 12192 together). The sums of the activations are taken off, the lanes added, and a float has the scaled blocks one after the other.
 * The including .c defines
 *
 *   ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256_packed *a)
 *
 * by the functions below, then includes block_rows.h, and says `const struct kernel SELF = TERNARY_REFERENCE_KERNEL;`
 */
#ifndef MICRO_FAMILIES_BLOCKS_TERNARY_REFERENCE_NEON_H
#define MICRO_FAMILIES_BLOCKS_TERNARY_REFERENCE_NEON_H

#define KERNEL_ORIGIN "bitnet-cpp"

#define BLOCK_SUM_IS_FLOAT
#include "micro/families/blocks/q8_packed.h"

#define BLOCK_ACTIVATIONS struct q8_256_packed
#define BLOCK_VALUE       q8_256_packed_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

#ifdef __ARM_FEATURE_DOTPROD
typedef int32x4_t ternary_words;
#else
typedef int16x8_t ternary_words;
#endif

struct ternary_sums {
    ternary_words first, second;
};

ROWS_INLINE struct ternary_sums ternary_zero(void)
{
#ifdef __ARM_FEATURE_DOTPROD
    return (struct ternary_sums){vdupq_n_s32(0), vdupq_n_s32(0)};
#else
    return (struct ternary_sums){vdupq_n_s16(0), vdupq_n_s16(0)};
#endif
}

#ifndef __ARM_FEATURE_DOTPROD
/** 16 columns: their first eight to one register, the others to the other. */
ROWS_INLINE struct ternary_sums ternary_add_codes(struct ternary_sums sums, int8x16_t codes, int8x16_t a)
{
    sums.first = vmlal_s8(sums.first, vget_low_s8(codes), vget_low_s8(a));
    sums.second = vmlal_high_s8(sums.second, codes, a);
    return sums;
}
#endif

/** 32 columns. */
ROWS_INLINE struct ternary_sums ternary_add(struct ternary_sums sums, uint8x16_t first, uint8x16_t second,
                                            const int8_t *a)
{
    int8x16_t codes[2] = {vreinterpretq_s8_u8(first), vreinterpretq_s8_u8(second)};
#ifdef __ARM_FEATURE_DOTPROD
    sums.first = vdotq_s32(sums.first, codes[0], vld1q_s8(a));
    sums.second = vdotq_s32(sums.second, codes[1], vld1q_s8(a + 16));
    return sums;
#else
    return ternary_add_codes(ternary_add_codes(sums, codes[0], vld1q_s8(a)), codes[1], vld1q_s8(a + 16));
#endif
}

/** A block's sums of codes, of which each is one more than its weight; scale: where the block has its own. */
ROWS_INLINE float ternary_finish(float sum, struct ternary_sums sums, const uint8_t *scale,
                                 const struct q8_256_packed *a)
{
    int16x8_t ones = vaddq_s16(vld1q_s16(a->sums), vld1q_s16(a->sums + 8));
#ifdef __ARM_FEATURE_DOTPROD
    int32_t whole = vaddvq_s32(vsubq_s32(vaddq_s32(sums.first, sums.second), vpaddlq_s16(ones)));
#else
    int32_t whole = vaddlvq_s16(vsubq_s16(vaddq_s16(sums.first, sums.second), ones));
#endif
    return sum + block_scale(scale) * a->scale * (float)whole;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_packed_make(activations, k, prepared);
}

#define TERNARY_REFERENCE_KERNEL                                                                                       \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .differs = "not measured beside its original, as nothing of aarch64 is",              \
        .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 256, .error_bound = Q8_ERROR_BOUND,        \
        .gemv = gemv, .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS), .prepare = prepare, .row = block_row       \
    }

#endif
