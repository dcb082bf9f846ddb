/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Look-ups of tmac.c by vpshufb, of 32 rows at a time: each is converted to words before it is added.
 */
#ifndef MICRO_FORMATS_TMAC2_TMAC_AVX2_H
#define MICRO_FORMATS_TMAC2_TMAC_AVX2_H

#include "micro/families/lookup/lookup_avx2.h"
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tmac2/layout.h"
#include "micro/kernel.h"

#define TMAC_DIFFERS         "on panels of 64 rows; in the time of its original from memory, 27% less from a cache"
#define TMAC_PREFETCH_BESIDE 1600

LOOKUP struct lookup_words add_found(struct lookup_words sums, __m256i table, __m256i index)
{
    __m256i x = _mm256_shuffle_epi8(table, index);
    return (struct lookup_words){
        _mm256_add_epi16(sums.first, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(x))),
        _mm256_add_epi16(sums.second, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(x, 1))),
    };
}

static void add_half(const struct gemv_slice *slice, const uint8_t *step, const uint8_t *tables, size_t steps,
                     int32_t *sums)
{
    struct lookup_words lower = {_mm256_setzero_si256(), _mm256_setzero_si256()}, upper = lower;
    for (size_t i = 0; i < steps; i++, step += TMAC2_STEP_BYTES, tables += QUANTIZED_TABLE_BYTES) {
        if (slice->prefetch_bytes)
            lookup_prefetch(step + slice->prefetch_bytes, 32);
        __m256i nibbles = lookup_load(step), table = lookup_table_load(tables);
        lower = add_found(lower, table, lookup_lower(nibbles));
        upper = add_found(upper, table, lookup_upper(nibbles));
    }
    lookup_widen_ordered(sums, lower);
    lookup_widen_ordered(sums, upper);
    lookup_widen_ordered(sums, upper);
}

static void add_steps(const struct gemv_slice *slice, const uint8_t *step, const uint8_t *tables, size_t steps,
                      int32_t *sums)
{
    for (size_t half = 0; half < TMAC2_ROWS; half += 32)
        add_half(slice, step + half, tables, steps, sums + half);
}

#endif
