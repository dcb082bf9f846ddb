/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit by bit as T-MAC looks them up [bitnet-cpp, 2.3 and 3.2.1]: a set bit adds the activation and a clear one
 * subtracts it, s = +-1, the 16 sums of four are quantized to int8 with one scale, converted to words and added, each
 * bit by itself.
 *
 *     w = u - 2 = (2 s1 + s0) / 2 - 1/2      y = (2 S1 + S0) / 2 - (sum of a) / 2
 *
 * A look-up is off by half a step, 4 max|a| / 254 at most; a step of 4 columns by 1.5 times that, and K = 5, two steps,
 * by 6 / 127 of max|a| = 0.6 / 127 of max|a| K max|w|, more than any other K. 128 look-ups of 127 fit 16 bits.
 */
#include "micro/kernel.h"
#include "micro/kernels/elut_avx2.h"
#include "micro/kernels/lookup_avx2.h"
#include "micro/kernels/lookup_quantized.h"
#include "micro/kernels/tmac2/layout.h"

enum { INTERLEAVE = 1, BLOCK_STEPS = 128 };

static size_t prepared_bytes(size_t k)
{
    return QUANTIZED_HEADER_BYTES + k / TMAC2_STEP_COLUMNS * QUANTIZED_TABLE_BYTES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *a = activations;
    struct quantized_tables *tables = prepared;
    uint8_t *table = (uint8_t *)tables->entries;
    struct table_coefficients bits;
    table_coefficients_of_bits(-1, &bits);
    float factor = quantized_scale(table_largest(a, k, 4), &tables->scale);
    double all = 0;
    for (size_t i = 0; i < k; i += TMAC2_STEP_COLUMNS, table += QUANTIZED_TABLE_BYTES) {
        table_store_quantized(table, &bits, 4, a + i, factor);
        all += (double)a[i] + (double)a[i + 1] + (double)a[i + 2] + (double)a[i + 3];
    }
    tables->offset = (float)(all * -0.5);
}

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct quantized_tables *tables = prepared;
    double y = 0, magnitude = 0, half_step = (double)tables->scale / 2;
    for (size_t i = 0; i < k / TMAC2_STEP_COLUMNS; i++) {
        uint32_t byte = panel[i * TMAC2_STEP_BYTES + row];
        const int8_t *entries = tables->entries + i * QUANTIZED_TABLE_BYTES;
        double lower = entries[byte & 15], upper = entries[byte >> 4];
        y += lower + 2 * upper;
        magnitude += fabs(lower) + 2 * fabs(upper);
    }
    return (struct kernel_row){half_step * y + (double)tables->offset,
                               half_step * magnitude + fabs((double)tables->offset)};
}

LOOKUP struct lookup_words add_found(struct lookup_words sums, __m256i table, __m256i index)
{
    __m256i x = _mm256_shuffle_epi8(table, index);
    return (struct lookup_words){
        _mm256_add_epi16(sums.first, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(x))),
        _mm256_add_epi16(sums.second, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(x, 1))),
    };
}

static void add_steps(const struct gemv_slice *slice, const uint8_t *step, const uint8_t *tables, size_t steps,
                      int32_t *sums)
{
    struct lookup_words lower = {_mm256_setzero_si256(), _mm256_setzero_si256()}, upper = lower;
    for (size_t i = 0; i < steps; i++, step += TMAC2_STEP_BYTES, tables += QUANTIZED_TABLE_BYTES) {
        lookup_prefetch(step + slice->prefetch_bytes, 32);
        __m256i nibbles = lookup_load(step), table = lookup_table_load(tables);
        lower = add_found(lower, table, lookup_lower(nibbles));
        upper = add_found(upper, table, lookup_upper(nibbles));
    }
    lookup_widen_ordered(sums, lower);
    lookup_widen_ordered(sums, upper);
    lookup_widen_ordered(sums, upper);
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first;
    const uint8_t *tables = (const uint8_t *)slice->prepared + QUANTIZED_HEADER_BYTES + first * QUANTIZED_TABLE_BYTES;
    for (size_t half = 0; half < TMAC2_ROWS; half += 32)
        add_steps(slice, panel + first * TMAC2_STEP_BYTES + half, tables, left < BLOCK_STEPS ? left : BLOCK_STEPS,
                  sums + half);
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct quantized_tables *tables = slice->prepared;
    for (size_t row = 0; row < TMAC2_ROWS; row++)
        slice->out_f32[panel * TMAC2_ROWS + row] = tables->scale / 2 * (float)sums[row] + tables->offset;
}

#include "micro/kernels/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "bitnet-cpp",
    .differs = "one scale for the tensor, none for groups of columns; 0.44 of the time of T-MAC's look-ups with these",
    .gamma = "tmac2.lookup.avx2",
    .prefetch_beside = 1600,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = 0.6 / 127 * 1.001,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of_tables,
};
