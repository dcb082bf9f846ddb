/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of up to 16 sums made with Neon: prepare() of the look-up kernels, as elut_avx2.h makes them.
 */
#ifndef MICRO_FAMILIES_LOOKUP_ELUT_NEON_H
#define MICRO_FAMILIES_LOOKUP_ELUT_NEON_H

#include <arm_neon.h>
#include <math.h>
#include <stddef.h>

#include "micro/quantization/elut.h"

#define TABLE_BUILDER static inline __attribute__((always_inline, unused))

/** 16 words in order. */
struct table_words {
    int16x8_t of[2];
};

/** What each activation of a group is multiplied with in the 16 sums. */
struct table_coefficients {
    struct table_words words[ELUT_GROUP_MOST];
};

/** Of ELUT(C, g), which exists. */
TABLE_BUILDER void table_coefficients_make(uint32_t cardinality, uint32_t group, struct table_coefficients *of)
{
    struct elut elut;
    elut_make(cardinality, group, &elut);
    for (uint32_t i = 0; i < group; i++) {
        int16_t words[ELUT_TABLE];
        elut_coefficients(&elut, i, words);
        of->words[i] = (struct table_words){{vld1q_s16(words), vld1q_s16(words + 8)}};
    }
}

/**
 * Of the bits of an index, bit-wise tables: a set bit adds its activation, a clear one counts `clear` (0 or -1) times.
 */
TABLE_BUILDER void table_coefficients_of_bits(int16_t clear, struct table_coefficients *of)
{
    for (uint32_t i = 0; i < ELUT_GROUP_MOST; i++) {
        int16_t words[ELUT_TABLE];
        for (uint32_t index = 0; index < ELUT_TABLE; index++)
            words[index] = index >> i & 1 ? 1 : clear;
        of->words[i] = (struct table_words){{vld1q_s16(words), vld1q_s16(words + 8)}};
    }
}

/** The exact sums of one group of int8. */
TABLE_BUILDER struct table_words table_sums(const struct table_coefficients *of, uint32_t group, const int8_t *a)
{
    struct table_words sums;
    for (int half = 0; half < 2; half++) {
        sums.of[half] = vmulq_n_s16(of->words[0].of[half], a[0]);
        for (uint32_t i = 1; i < group; i++)
            sums.of[half] = vmlaq_n_s16(sums.of[half], of->words[i].of[half], a[i]);
    }
    return sums;
}

/** Low and high bytes, the paper's exact tables: sum = 256 high + low, low unsigned. table[32] */
TABLE_BUILDER void table_store_bytes(uint8_t *table, struct table_words sums)
{
    int8x16_t low = vreinterpretq_s8_s16(sums.of[0]), high = vreinterpretq_s8_s16(sums.of[1]);
    vst1q_s8((int8_t *)table, vuzp1q_s8(low, high));
    vst1q_s8((int8_t *)table + 16, vuzp2q_s8(low, high));
}

/** Every sum less the same. */
TABLE_BUILDER struct table_words table_less(struct table_words sums, int32_t middle)
{
    for (int half = 0; half < 2; half++)
        sums.of[half] = vsubq_s16(sums.of[half], vdupq_n_s16((int16_t)middle));
    return sums;
}

/** 16 words of |x| < 128 to bytes. */
TABLE_BUILDER int8x16_t table_narrow(struct table_words words)
{
    return vmovn_high_s16(vmovn_s16(words.of[0]), words.of[1]);
}

/** Low digits of sums = base * high + low, and in `high` the high ones; see table_store_digits. */
TABLE_BUILDER int8x16_t table_digits(struct table_words sums, int base, int8x16_t *high)
{
    struct table_words quotients;
    for (int half = 0; half < 2; half++) {
        quotients.of[half] = vqrdmulhq_n_s16(sums.of[half], (int16_t)((32768 + base / 2) / base));
        sums.of[half] = vmlsq_n_s16(sums.of[half], quotients.of[half], (int16_t)base);
    }
    *high = table_narrow(quotients);
    return table_narrow(sums);
}

/**
 * Two signed digits that add up as bytes: sum = base * high + low, base odd, |low| <= (base - 1) / 2; |sum| <= 512, see
 * table_store_digits() of elut_avx2.h. table[32]
 */
TABLE_BUILDER void table_store_digits(uint8_t *table, struct table_words sums, int base)
{
    int8x16_t high, low = table_digits(sums, base, &high);
    vst1q_s8((int8_t *)table, low);
    vst1q_s8((int8_t *)table + 16, high);
}

/** The same digits with their negatives, which a sign above the index names: [32] low, [32] high. table[64] */
TABLE_BUILDER void table_store_signed_digits(uint8_t *table, struct table_words sums, int base)
{
    int8x16_t high, low = table_digits(sums, base, &high);
    vst1q_s8((int8_t *)table, low);
    vst1q_s8((int8_t *)table + 16, vnegq_s8(low));
    vst1q_s8((int8_t *)table + 32, high);
    vst1q_s8((int8_t *)table + 48, vnegq_s8(high));
}

/** Largest |sum| of the groups of floats where every coefficient is -1, 0 or 1. count a multiple of group */
TABLE_BUILDER float table_largest(const float *a, size_t count, uint32_t group)
{
    float most = 0;
    for (size_t i = 0; i < count; i += group) {
        float sum = 0;
        for (uint32_t j = 0; j < group; j++)
            sum += fabsf(a[i + j]);
        most = sum > most ? sum : most;
    }
    return most;
}

/** Four sums of floats times a factor, rounded to nearest even. words: their coefficients */
TABLE_BUILDER int32x4_t table_rounded(const int16x4_t *words, uint32_t group, const float *a, float factor)
{
    float32x4_t sums = vdupq_n_f32(0);
    for (uint32_t i = 0; i < group; i++)
        sums = vfmaq_n_f32(sums, vcvtq_f32_s32(vmovl_s16(words[i])), a[i]);
    return vcvtnq_s32_f32(vmulq_n_f32(sums, factor));
}

/** The quantized sums of one group of floats: table[16] of int8. */
TABLE_BUILDER void table_store_quantized(uint8_t *table, const struct table_coefficients *of, uint32_t group,
                                         const float *a, float factor)
{
    for (int half = 0; half < 2; half++) {
        int16x4_t low[ELUT_GROUP_MOST], high[ELUT_GROUP_MOST];
        for (uint32_t i = 0; i < group; i++) {
            low[i] = vget_low_s16(of->words[i].of[half]);
            high[i] = vget_high_s16(of->words[i].of[half]);
        }
        int16x8_t words = vcombine_s16(vqmovn_s32(table_rounded(low, group, a, factor)),
                                       vqmovn_s32(table_rounded(high, group, a, factor)));
        vst1_s8((int8_t *)table + 8 * half, vqmovn_s16(words));
    }
}

#endif
