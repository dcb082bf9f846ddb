/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Look-ups of tmac.c by tbl, of 64 rows at once: those of two steps are added as they are widened (saddl), and then to words, as T-MAC does it on
 * Neon. For two steps 64 rows take 8 AND, 8 shifts, 16 tbl, 16 saddl and 16 adds, for 16 output vectors. Neoverse N1, N2, 2 vector pipes: >= 2.0
 * cycles each. V1, 4 pipes, tbl on two of them: >= 1.0.
 */
#ifndef MICRO_FORMATS_TMAC2_TMAC_NEON_H
#define MICRO_FORMATS_TMAC2_TMAC_NEON_H

#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tmac2/layout.h"
#include "micro/kernel.h"

#define TMAC_DIFFERS         "on panels of 64 rows; not measured beside its original, as nothing of aarch64 is"
#define TMAC_PREFETCH_BESIDE 1024 /* predicted: no core of aarch64 has been timed */

struct tmac_words {
    struct lookup_words lower, upper; /* of bits 0 and 1 */
};

LOOKUP void add_pair(int16x8_t *words, int8x16_t first, int8x16_t second)
{
    words[0] = vaddq_s16(words[0], vaddl_s8(vget_low_s8(first), vget_low_s8(second)));
    words[1] = vaddq_s16(words[1], vaddl_high_s8(first, second));
}

LOOKUP void add_two_steps(struct tmac_words *words, const uint8_t *step, const uint8_t *tables)
{
    const uint8_t *next = tables + QUANTIZED_TABLE_BYTES;
#pragma GCC unroll 4
    for (int r = 0; r < LOOKUP_REGISTERS; r++) {
        uint8x16_t first = vld1q_u8(step + 16 * r), second = vld1q_u8(step + TMAC2_STEP_BYTES + 16 * r);
        add_pair(&words->lower.word[2 * r], lookup_find(tables, lookup_lower(first)),
                 lookup_find(next, lookup_lower(second)));
        add_pair(&words->upper.word[2 * r], lookup_find(tables, lookup_upper(first)),
                 lookup_find(next, lookup_upper(second)));
        __asm__ volatile(""
                         : "+r"(step),
                           "+w"(words->upper.word[2 * r])); /* or it loads so much ahead that sums go to the stack */
    }
}

LOOKUP void add_found(int16x8_t *words, int8x16_t found)
{
    words[0] = vaddw_s8(words[0], vget_low_s8(found));
    words[1] = vaddw_high_s8(words[1], found);
}

LOOKUP void add_step(struct tmac_words *words, const uint8_t *step, const uint8_t *table)
{
#pragma GCC unroll 4
    for (int r = 0; r < LOOKUP_REGISTERS; r++) {
        uint8x16_t nibbles = vld1q_u8(step + 16 * r);
        add_found(&words->lower.word[2 * r], lookup_find(table, lookup_lower(nibbles)));
        add_found(&words->upper.word[2 * r], lookup_find(table, lookup_upper(nibbles)));
    }
}

static void add_steps(const struct gemv_slice *slice, const uint8_t *step, const uint8_t *tables, size_t steps,
                      int32_t *sums)
{
    struct tmac_words words = {lookup_zero(), lookup_zero()};
    for (; steps >= 2; steps -= 2, step += 2 * TMAC2_STEP_BYTES, tables += 2 * QUANTIZED_TABLE_BYTES) {
        if (slice->prefetch_bytes) {
            lookup_prefetch(step, slice->prefetch_bytes);
            lookup_prefetch(step + TMAC2_STEP_BYTES, slice->prefetch_bytes);
        }
        add_two_steps(&words, step, tables);
    }
    if (steps)
        add_step(&words, step, tables);
    lookup_widen(sums, words.lower);
    lookup_widen(sums, words.upper);
    lookup_widen(sums, words.upper);
}

#endif
