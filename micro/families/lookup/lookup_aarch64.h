/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What look-up kernels of 64 rows share on aarch64: sums of 64 rows as words, and what a register of indices finds. One text for Neon and for
 * 256-bit SVE, where both halves of a register have the table.
 */
#ifndef MICRO_FAMILIES_LOOKUP_LOOKUP_AARCH64_H
#define MICRO_FAMILIES_LOOKUP_LOOKUP_AARCH64_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __ARM_FEATURE_SVE
#include <arm_sve.h>
#endif

#define LOOKUP static inline __attribute__((always_inline, unused))

#ifdef __ARM_FEATURE_SVE
typedef svuint8_t lookup_bytes __attribute__((arm_sve_vector_bits(256)));
typedef svint8_t lookup_values __attribute__((arm_sve_vector_bits(256)));
typedef svint16_t lookup_word __attribute__((arm_sve_vector_bits(256)));
#define LOOKUP_ALL svptrue_b8()
#else
typedef uint8x16_t lookup_bytes;
typedef int8x16_t lookup_values;
typedef int16x8_t lookup_word;
#endif

enum {
    LOOKUP_BYTES = sizeof(lookup_bytes),
    LOOKUP_REGISTERS = 64 / LOOKUP_BYTES, /* a byte a row */
    LOOKUP_WORD_ROWS = LOOKUP_BYTES / 2
};

/** Rows LOOKUP_WORD_ROWS i … in word[i]. */
struct lookup_words {
    lookup_word word[2 * LOOKUP_REGISTERS];
};

LOOKUP struct lookup_words lookup_zero(void)
{
    struct lookup_words words;
#pragma GCC unroll 8
    for (int i = 0; i < 2 * LOOKUP_REGISTERS; i++)
#ifdef __ARM_FEATURE_SVE
        words.word[i] = svdup_n_s16(0);
#else
        words.word[i] = vdupq_n_s16(0);
#endif
    return words;
}

#ifdef __ARM_FEATURE_SVE
LOOKUP lookup_bytes lookup_load(const uint8_t *at)
{
    return svld1_u8(LOOKUP_ALL, at);
}

LOOKUP lookup_bytes lookup_lower(lookup_bytes bytes)
{
    return svand_n_u8_x(LOOKUP_ALL, bytes, 15);
}

LOOKUP lookup_bytes lookup_upper(lookup_bytes bytes)
{
    return svlsr_n_u8_x(LOOKUP_ALL, bytes, 4);
}

LOOKUP lookup_values lookup_find(const uint8_t *table, lookup_bytes index)
{
    return svtbl_s8(svld1rq_s8(LOOKUP_ALL, (const int8_t *)table), index);
}

LOOKUP lookup_values lookup_add(lookup_values a, lookup_values b)
{
    return svadd_s8_x(LOOKUP_ALL, a, b);
}

/** word[2] + low + base high, of the rows of a register in order. */
LOOKUP void lookup_add_digits(lookup_word *word, lookup_values low, lookup_values high, int8_t base)
{
    word[0] = svadd_s16_x(LOOKUP_ALL, word[0], svunpklo_s16(low));
    word[1] = svadd_s16_x(LOOKUP_ALL, word[1], svunpkhi_s16(low));
    word[0] = svmla_n_s16_x(LOOKUP_ALL, word[0], svunpklo_s16(high), base);
    word[1] = svmla_n_s16_x(LOOKUP_ALL, word[1], svunpkhi_s16(high), base);
}
#else
LOOKUP lookup_bytes lookup_load(const uint8_t *at)
{
    return vld1q_u8(at);
}

LOOKUP lookup_bytes lookup_lower(lookup_bytes bytes)
{
    return vandq_u8(bytes, vdupq_n_u8(15));
}

LOOKUP lookup_bytes lookup_upper(lookup_bytes bytes)
{
    return vshrq_n_u8(bytes, 4);
}

LOOKUP lookup_values lookup_find(const uint8_t *table, lookup_bytes index)
{
    return vqtbl1q_s8(vld1q_s8((const int8_t *)table), index);
}

LOOKUP lookup_values lookup_add(lookup_values a, lookup_values b)
{
    return vaddq_s8(a, b);
}

/** word[2] + low + base high, of the rows of a register in order. */
LOOKUP void lookup_add_digits(lookup_word *word, lookup_values low, lookup_values high, int8_t base)
{
    int8x16_t bases = vdupq_n_s8(base);
    word[0] = vmlal_s8(vaddw_s8(word[0], vget_low_s8(low)), vget_low_s8(high), vget_low_s8(bases));
    word[1] = vmlal_high_s8(vaddw_high_s8(word[1], low), high, bases);
}
#endif

/** A line, some bytes ahead. In integers, for what lies ahead need not be memory. */
LOOKUP void lookup_prefetch(const uint8_t *step, size_t distance)
{
    __builtin_prefetch((const void *)((uintptr_t)step + distance), 0, 3);
}

/** Words of 64 rows to sums[64]. */
LOOKUP void lookup_widen(int32_t *sums, struct lookup_words words)
{
#pragma GCC unroll 8
    for (int i = 0; i < 2 * LOOKUP_REGISTERS; i++, sums += LOOKUP_WORD_ROWS) {
        int32_t *upper = sums + LOOKUP_WORD_ROWS / 2;
#ifdef __ARM_FEATURE_SVE
        svint32_t low = svunpklo_s32(words.word[i]), high = svunpkhi_s32(words.word[i]);
        svst1_s32(LOOKUP_ALL, sums, svadd_s32_x(LOOKUP_ALL, svld1_s32(LOOKUP_ALL, sums), low));
        svst1_s32(LOOKUP_ALL, upper, svadd_s32_x(LOOKUP_ALL, svld1_s32(LOOKUP_ALL, upper), high));
#else
        vst1q_s32(sums, vaddw_s16(vld1q_s32(sums), vget_low_s16(words.word[i])));
        vst1q_s32(upper, vaddw_high_s16(vld1q_s32(upper), words.word[i]));
#endif
    }
}

#endif
