/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11, so that the 8 look-ups of a group of
 * 4 steps fit signed bytes; then they become words, at most 8 * 254; 16 groups fit 16 bits. One text for Neon and for 256-bit SVE.
 */
enum { INTERLEAVE = 4, GROUP_STEPS = 4, BLOCK_STEPS = 16 * GROUP_STEPS, BASE = 23 };

#include "micro/kernels/tl1/exact_aarch64.h"

LOOKUP void table_store(uint8_t *table, struct table_words sums)
{
    table_store_digits(table, sums, BASE);
}

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

#include "micro/kernels/lookup_panels.h"

const struct kernel SELF = TL1_EXACT_KERNEL("kneepoint", SELF_NAME);
