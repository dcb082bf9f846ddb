/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of TL1's layout on aarch64, for lookup_panels.h. The including .c defines
 *
 *   BLOCK_STEPS                                    that 16-bit sums hold
 *   STEP_TABLES                                    bytes of tables a step
 *   tables_of(slice)                               the tables of the first step
 *   add_steps(words, step, tables, steps, slice)   look-ups of this many steps added to words of 64 rows
 */
#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/formats/tl1/layout.h"
#include "micro/kernel.h"

static const uint8_t *tables_of(const struct gemv_slice *slice);
LOOKUP void add_steps(struct lookup_words *words, const uint8_t *step, const uint8_t *tables, size_t steps,
                      const struct gemv_slice *slice);

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first;
    struct lookup_words words = lookup_zero();
    add_steps(&words, panel + first * TL1_STEP_BYTES, tables_of(slice) + first * STEP_TABLES,
              left < BLOCK_STEPS ? left : BLOCK_STEPS, slice);
    lookup_widen(sums, words);
}
