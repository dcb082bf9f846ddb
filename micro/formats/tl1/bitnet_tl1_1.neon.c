/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL1_1, of Arm cores first: exact sums of 16 bits, their low and high bytes looked up apart, zipped to words and added
 * [bitnet-cpp, 3.2.1]. 128 pairs of 254 fit 16 bits. 1 shift, 1 AND, 4 tbl, 4 zip and 4 add for 2 output vectors. Neoverse N1, N2, 2 vector pipes: >= 3.5
 * cycles each. V1, 4 pipes, tbl on two of them: >= 1.75.
 */
enum { INTERLEAVE = 1, BLOCK_STEPS = 64 };

#define KERNEL_ORIGIN "bitnet-cpp"
#define SELF_DIFFERS  "with our prefetch; not measured beside its original, as nothing of aarch64 is"
#include "micro/formats/tl1/exact_aarch64.h"

LOOKUP void table_store(uint8_t *table, struct table_words sums)
{
    table_store_bytes(table, sums);
}

LOOKUP void add_found(int16x8_t *words, const uint8_t *table, uint8x16_t index)
{
    int8x16_t low = lookup_find(table, index), high = lookup_find(table + 16, index);
    words[0] = vaddq_s16(words[0], vreinterpretq_s16_s8(vzip1q_s8(low, high)));
    words[1] = vaddq_s16(words[1], vreinterpretq_s16_s8(vzip2q_s8(low, high)));
}

LOOKUP void add_steps(struct lookup_words *words, const uint8_t *step, const uint8_t *tables, size_t steps,
                      const struct gemv_slice *slice)
{
    for (size_t i = 0; i < steps; i++, step += TL1_STEP_BYTES, tables += STEP_TABLES) {
        lookup_prefetch(step, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (int r = 0; r < LOOKUP_REGISTERS; r++) {
            uint8x16_t nibbles = vld1q_u8(step + 16 * r);
            add_found(&words->word[2 * r], tables, lookup_lower(nibbles));
            add_found(&words->word[2 * r], tables + TABLE_BYTES, lookup_upper(nibbles));
        }
    }
}

#include "micro/families/lookup/lookup_panels.h"

const struct kernel SELF = TL1_EXACT_KERNEL;

#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
