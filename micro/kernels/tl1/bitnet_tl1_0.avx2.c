/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL1_0: tables quantized to int8 with one scale, from float activations; what is found is converted to
 * words and added. 256 look-ups of 127 fit 16 bits. A look-up is off by half a step, 2 max|a| / 254 at most: 1 / 254 of
 * max|a| a column, twice that of a pair with a column of padding.
 */
#include "micro/kernel.h"
#include "micro/kernels/elut_avx2.h"
#include "micro/kernels/lookup_avx2.h"
#include "micro/kernels/lookup_quantized.h"
#include "micro/kernels/tl1/layout.h"

enum { INTERLEAVE = 1, BLOCK_STEPS = 128, STEP_TABLES = 2 * QUANTIZED_TABLE_BYTES };

static size_t prepared_bytes(size_t k)
{
    return QUANTIZED_HEADER_BYTES + k / TL1_STEP_COLUMNS * STEP_TABLES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *a = activations;
    struct quantized_tables *tables = prepared;
    uint8_t *table = (uint8_t *)tables->entries;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    float factor = quantized_scale(table_largest(a, k, 2), &tables->scale);
    for (size_t i = 0; i < k; i += 2, table += QUANTIZED_TABLE_BYTES)
        table_store_quantized(table, &pairs, 2, a + i, factor);
}

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct quantized_tables *tables = prepared;
    double y = 0, magnitude = 0;
    for (size_t i = 0; i < k / 2; i++) {
        uint32_t index = (uint32_t)panel[i / 2 * TL1_STEP_BYTES + row] >> i % 2 * 4 & 15u;
        double entry = tables->entries[i * QUANTIZED_TABLE_BYTES + index];
        y += entry;
        magnitude += fabs(entry);
    }
    return (struct kernel_row){(double)tables->scale * y, (double)tables->scale * magnitude};
}

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
    const uint8_t *tables = (const uint8_t *)slice->prepared + QUANTIZED_HEADER_BYTES + first * STEP_TABLES;
    for (size_t half = 0; half < TL1_ROWS; half += 32)
        add_steps(slice, panel + first * TL1_STEP_BYTES + half, tables, left < BLOCK_STEPS ? left : BLOCK_STEPS,
                  sums + half);
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct quantized_tables *tables = slice->prepared;
    for (size_t row = 0; row < TL1_ROWS; row++)
        slice->out_f32[panel * TL1_ROWS + row] = tables->scale * (float)sums[row];
}

#include "micro/kernels/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "bitnet-cpp",
    .gamma = "tl1.lookup0.avx2",
    .prefetch_bytes = 1600,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = 2.0 / 254 * 1.001,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of_tables,
};
