/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL1_0: tables quantized to int8 with one scale, from float activations; what is found is converted to
 * words and added. 256 look-ups of 127 fit 16 bits. See quantized.h.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/elut_avx2.h"
#include "micro/families/lookup/lookup_avx2.h"
#include "micro/formats/tl1/quantized.h"

enum { INTERLEAVE = 1, BLOCK_STEPS = 128 };

LOOKUP struct lookup_words add_found(struct lookup_words sums, const uint8_t *table, __m256i index)
{
    __m256i x = _mm256_shuffle_epi8(lookup_table_load(table), index);
    return (struct lookup_words){
        _mm256_add_epi16(sums.first, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(x))),
        _mm256_add_epi16(sums.second, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(x, 1))),
    };
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
        words = add_found(words, tables + QUANTIZED_TABLE_BYTES, lookup_upper(nibbles));
    }
    lookup_widen_ordered(sums, words);
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first;
    const uint8_t *tables = tables_of(slice, first);
    for (size_t half = 0; half < TL1_ROWS; half += 32)
        add_steps(slice, panel + first * TL1_STEP_BYTES + half, tables, left < BLOCK_STEPS ? left : BLOCK_STEPS,
                  sums + half);
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
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = TL1_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of_tables,
};

/* its gamma */
#define STEP_COLUMNS       TL1_STEP_COLUMNS
#define STEP_BYTES         TL1_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (QUANTIZED_HEADER_BYTES + BLOCK_STEPS * STEP_TABLES)
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
