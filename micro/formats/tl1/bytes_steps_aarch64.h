/* SPDX-License-Identifier: BSD-3-Clause
 *
 * add_steps() of exact look-ups of TL1's layout added up as bytes, of which words are made once a group. One text for Neon and for 256-bit
 * SVE. The including .c defines
 *
 *   BASE          a sum is BASE h + l
 *   GROUP_STEPS   of whose look-ups, two a step, l and h fit signed bytes
 *   TABLE_BYTES   32: an entry's l, table[16], after them its h
 *   STEP_TABLES   bytes of tables a step
 */
#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/formats/tl1/layout.h"
#include "micro/kernel.h"

/** Digits of 64 rows. */
struct digits {
    lookup_values low[LOOKUP_REGISTERS], high[LOOKUP_REGISTERS];
};

/** first: nothing has been found before. */
LOOKUP void add_step(struct digits *sums, const uint8_t *step, const uint8_t *tables, bool first)
{
#pragma GCC unroll 4
    for (int r = 0; r < LOOKUP_REGISTERS; r++) {
        lookup_bytes nibbles = lookup_load(step + LOOKUP_BYTES * r);
        lookup_bytes lower = lookup_lower(nibbles), upper = lookup_upper(nibbles);
        lookup_values low = lookup_find(tables, lower), high = lookup_find(tables + 16, lower);
        sums->low[r] = first ? low : lookup_add(sums->low[r], low);
        sums->high[r] = first ? high : lookup_add(sums->high[r], high);
        sums->low[r] = lookup_add(sums->low[r], lookup_find(tables + TABLE_BYTES, upper));
        sums->high[r] = lookup_add(sums->high[r], lookup_find(tables + TABLE_BYTES + 16, upper));
    }
}

LOOKUP void add_digits(struct lookup_words *words, const struct digits *sums)
{
#pragma GCC unroll 4
    for (int r = 0; r < LOOKUP_REGISTERS; r++)
        lookup_add_digits(&words->word[2 * r], sums->low[r], sums->high[r], BASE);
}

LOOKUP void add_steps(struct lookup_words *words, const uint8_t *step, const uint8_t *tables, size_t steps,
                      const struct gemv_slice *slice)
{
    struct digits sums;
    size_t done = 0;
    for (; done + GROUP_STEPS <= steps; done += GROUP_STEPS) {
#pragma GCC unroll 4
        for (size_t i = 0; i < GROUP_STEPS; i++, step += TL1_STEP_BYTES, tables += STEP_TABLES) {
            lookup_prefetch(step, slice->prefetch_bytes);
            add_step(&sums, step, tables, i == 0);
        }
        add_digits(words, &sums);
    }
    for (; done < steps; done++, step += TL1_STEP_BYTES, tables += STEP_TABLES) {
        add_step(&sums, step, tables, true);
        add_digits(words, &sums);
    }
}
