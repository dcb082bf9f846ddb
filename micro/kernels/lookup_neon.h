/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What look-up kernels of 64 rows share on aarch64: sums of 64 rows as words, and what 16 bytes of indices find.
 */
#ifndef MICRO_KERNELS_LOOKUP_NEON_H
#define MICRO_KERNELS_LOOKUP_NEON_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP static inline __attribute__((always_inline, unused))

enum { LOOKUP_REGISTERS = 4 }; /* of 16 rows each */

/** Rows 8 i … 8 i + 7 in word[i]. */
struct lookup_words {
    int16x8_t word[2 * LOOKUP_REGISTERS];
};

LOOKUP struct lookup_words lookup_zero(void)
{
    struct lookup_words words;
#pragma GCC unroll 8
    for (int i = 0; i < 2 * LOOKUP_REGISTERS; i++)
        words.word[i] = vdupq_n_s16(0);
    return words;
}

LOOKUP uint8x16_t lookup_lower(uint8x16_t bytes)
{
    return vandq_u8(bytes, vdupq_n_u8(15));
}

LOOKUP uint8x16_t lookup_upper(uint8x16_t bytes)
{
    return vshrq_n_u8(bytes, 4);
}

LOOKUP int8x16_t lookup_find(const uint8_t *table, uint8x16_t index)
{
    return vqtbl1q_s8(vld1q_s8((const int8_t *)table), index);
}

/** A line, some bytes ahead. In integers, for what lies ahead need not be memory. */
LOOKUP void lookup_prefetch(const uint8_t *step, size_t distance)
{
    __builtin_prefetch((const void *)((uintptr_t)step + distance), 0, 3);
}

/** Words of 64 rows to sums[64]. */
LOOKUP void lookup_widen(int32_t *sums, struct lookup_words words)
{
#pragma GCC unroll 8
    for (int i = 0; i < 2 * LOOKUP_REGISTERS; i++, sums += 8) {
        vst1q_s32(sums, vaddw_s16(vld1q_s32(sums), vget_low_s16(words.word[i])));
        vst1q_s32(sums + 4, vaddw_high_s16(vld1q_s32(sums + 4), words.word[i]));
    }
}

#endif
