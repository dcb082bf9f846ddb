/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operand of mixed24_operand.h made with 256-bit vectors: prepare() of kernels compiled for AVX2 or beyond.
 */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_OPERAND_AVX2_H
#define MICRO_FAMILIES_MIXED24_MIXED24_OPERAND_AVX2_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/families/mixed24/mixed24_operand.h"

/** 32 activations from column `first` on, and minus the sums of their two groups. */
static inline void mixed24_round(const float *x, __m256 factor, struct mixed24_operand *to, size_t first,
                                 int32_t *minus_sums)
{
    __m256i q = q8_round(x + first, factor), sums = q8_sums_of_4(q);
    _mm256_store_si256((__m256i *)(void *)(to->q + first), q);
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0xb1));
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4e)); /* of 16 in each half */
    sums = _mm256_sub_epi32(_mm256_setzero_si256(), sums);
    minus_sums[0] = _mm256_extract_epi32(sums, 0);
    minus_sums[1] = _mm256_extract_epi32(sums, 4);
}

/** x[k], k a multiple of 64, to k / 64 blocks, every byte of them. */
static inline void mixed24_make(const float *x, size_t k, struct mixed24_operand *to)
{
    for (size_t i = 0; i < k; i += MIXED24_COLUMNS, to++) {
        int32_t minus_sums[4];
        __m256 factor = _mm256_set1_ps(q8_factor(q8_magnitude(x + i, MIXED24_COLUMNS), &to->scale));
        mixed24_round(x + i, factor, to, 0, minus_sums);
        mixed24_round(x + i, factor, to, 32, minus_sums + 2);
        for (size_t group = 0; group < 3; group++)
            for (int32_t zero = 0; zero < 4; zero++)
                to->starts[group][zero] = zero * minus_sums[group];
        to->unused[0] = to->unused[1] = 0;
        to->minus_sum = minus_sums[3];
    }
}

/** The same of groups of activations that are brought into an order on the way: struct kernel_ordered. */
static inline void mixed24_make_ordered(const float *x, size_t k, const uint16_t *order, struct mixed24_operand *to)
{
    float block[MIXED24_COLUMNS] __attribute__((aligned(64)));
    for (size_t i = 0; i < k; i += MIXED24_COLUMNS, to++, order += MIXED24_COLUMNS / MIXED24_GROUP) {
        for (size_t group = 0; group < MIXED24_COLUMNS / MIXED24_GROUP; group++)
            memcpy(block + group * MIXED24_GROUP, x + (size_t)order[group] * MIXED24_GROUP,
                   MIXED24_GROUP * sizeof *block);
        mixed24_make(block, MIXED24_COLUMNS, to);
    }
}

#endif
