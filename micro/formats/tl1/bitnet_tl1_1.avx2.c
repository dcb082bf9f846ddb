/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL1_1: exact sums of 16 bits, their low and high bytes looked up apart, unpacked to words and added
 * [bitnet-cpp, 3.2.1]. 128 pairs of 254 fit 16 bits.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/families/lookup/lookup_avx2.h"
#include "micro/formats/tl1/layout.h"
#include "micro/frames/finish.h"
#include "micro/kernel.h"

enum { INTERLEAVE = 1, BLOCK_STEPS = 64, TABLE_BYTES = 32, STEP_TABLES = 2 * TABLE_BYTES };

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store_bytes(table, table_sums(&pairs, 2, a + i));
}

LOOKUP struct lookup_words add_found(struct lookup_words sums, const uint8_t *table, __m256i index)
{
    __m256i low = _mm256_shuffle_epi8(lookup_table_load(table), index);
    __m256i high = _mm256_shuffle_epi8(lookup_table_load(table + 16), index);
    return (struct lookup_words){_mm256_add_epi16(sums.first, _mm256_unpacklo_epi8(low, high)),
                                 _mm256_add_epi16(sums.second, _mm256_unpackhi_epi8(low, high))};
}

static void add_steps(const struct gemv_slice *slice, const uint8_t *step, const uint8_t *tables, size_t steps,
                      int32_t *sums)
{
    struct lookup_words words = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t i = 0; i < steps; i++, step += TL1_STEP_BYTES, tables += STEP_TABLES) {
        if (slice->prefetch_bytes)
            lookup_prefetch(step + slice->prefetch_bytes, 32);
        __m256i nibbles = lookup_load(step);
        words = add_found(words, tables, lookup_lower(nibbles));
        words = add_found(words, tables + TABLE_BYTES, lookup_upper(nibbles));
    }
    lookup_widen_unpacked(sums, words);
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first;
    const uint8_t *tables = (const uint8_t *)slice->prepared + first * STEP_TABLES;
    for (size_t half = 0; half < TL1_ROWS; half += 32)
        add_steps(slice, panel + first * TL1_STEP_BYTES + half, tables, left < BLOCK_STEPS ? left : BLOCK_STEPS,
                  sums + half);
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    finish_rows(sums, TL1_ROWS, slice->correction, slice->out + panel * TL1_ROWS);
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = "256-bit port of an Arm-only original, so there is nothing to compare it with here",
    .prefetch_beside = 1600,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = STEP_TABLES,
    .prepare = prepare,
};

/* its gamma */
#define STEP_COLUMNS       TL1_STEP_COLUMNS
#define STEP_BYTES         TL1_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (BLOCK_STEPS * STEP_TABLES)
#define STEP_LARGEST       127
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
