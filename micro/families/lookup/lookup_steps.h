/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of look-up kernels whose inner loop is lookup_steps_frame.h, for lookup_panels.h. The kernel's .S defines BLOCK_GROUPS (that 16 bits hold)
 * before and tables_of(slice) after. Steps that are no whole group are looked up here.
 */
#include "micro/families/lookup/lookup_avx2.h"
#include "micro/kernel.h"

enum { INTERLEAVE = 4, LOOKUP_STEP_BYTES = 64, GROUP_STEPS = 4 };

#define JOIN_(a, b)     a##b
#define JOIN(a, b)      JOIN_(a, b)
#define words_of_groups JOIN(SELF, _groups)
/** Sums of 1 … BLOCK_GROUPS groups, as words of two halves; prefetches `far` ahead to the second level of the caches and
 * `near` ahead to the first. */
void words_of_groups(const uint8_t *steps, const uint8_t *tables, size_t count, size_t far,
                     struct lookup_words words[2], size_t near);

/** Fewer steps than a group. */
static void add_steps(const uint8_t *step, const uint8_t *tables, size_t steps, int32_t *sums)
{
    for (int half = 0; half < 2; half++) {
        __m256i low = _mm256_setzero_si256(), high = low;
        for (size_t i = 0; i < steps * 2; i++) {
            __m256i nibbles = lookup_load(step + i / 2 * LOOKUP_STEP_BYTES + half * 32);
            __m256i index = i % 2 ? lookup_upper(nibbles) : lookup_lower(nibbles);
            const uint8_t *table = tables + i * TABLE_BYTES;
            low = _mm256_add_epi8(low, _mm256_shuffle_epi8(lookup_table_load(table), index));
            high = _mm256_add_epi8(high, _mm256_shuffle_epi8(lookup_table_load(table + 16), index));
        }
        struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        lookup_widen_unpacked(sums + half * 32, lookup_add_digits(words, low, high, BASE));
    }
}

static const uint8_t *tables_of(const struct gemv_slice *slice);

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + GROUP_STEPS * BLOCK_GROUPS - 1) / (GROUP_STEPS * BLOCK_GROUPS);
}

#define LOOKUP_BLOCK_BYTES ((size_t)GROUP_STEPS * BLOCK_GROUPS * LOOKUP_STEP_BYTES)

/** A block comes from its panel in one go, and then one of another panel: what is fetched meanwhile is that one. */
static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums, size_t next)
{
    size_t first = block * GROUP_STEPS * BLOCK_GROUPS, left = slice->steps - first;
    size_t groups = left / GROUP_STEPS < BLOCK_GROUPS ? left / GROUP_STEPS : BLOCK_GROUPS;
    size_t rest = groups < BLOCK_GROUPS ? left % GROUP_STEPS : 0;
    const uint8_t *weights = panel + first * LOOKUP_STEP_BYTES;
    const uint8_t *tables = tables_of(slice) + first * STEP_TABLES;
    if (groups) {
        struct lookup_words words[2];
        words_of_groups(weights, tables, groups, slice->prefetch_bytes ? next : 0, words, slice->prefetch_bytes);
        lookup_widen_unpacked(sums, words[0]);
        lookup_widen_unpacked(sums + 32, words[1]);
    }
    if (rest)
        add_steps(weights + groups * GROUP_STEPS * LOOKUP_STEP_BYTES, tables + groups * GROUP_STEPS * STEP_TABLES, rest,
                  sums);
}
