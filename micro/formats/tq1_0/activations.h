/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of TQ1_0 kernels: blocks of q8.h, once more in the order in which a kernel's registers hold the digits.
 */
#ifndef MICRO_FORMATS_TQ1_0_ACTIVATIONS_H
#define MICRO_FORMATS_TQ1_0_ACTIVATIONS_H

#include "micro/families/blocks/blocks_avx2.h"

struct tq1_0_activations {
    struct q8_256 q8;
    int8_t ordered[256];
};

static inline double tq1_0_value(const struct tq1_0_activations *block, size_t column)
{
    return q8_256_value(&block->q8, column);
}

/** weight_at: the column of a block whose digit stands at byte `place` % 32 of register `place` / 32. */
static inline void tq1_0_make(const float *x, size_t k, struct tq1_0_activations *blocks,
                              uint32_t (*weight_at)(uint32_t place))
{
    for (size_t i = 0; i < k; i += 256, blocks++) {
        q8_256_make(x + i, 256, &blocks->q8);
        for (uint32_t place = 0; place < 256; place++)
            blocks->ordered[place] = blocks->q8.q[weight_at(place)];
    }
}

/** 16-bit sums of digits times activations, less those of the activations, scaled and added. */
ROWS_INLINE __m256 tq1_0_scale(__m256 sum, __m256i words, const uint8_t *weights, const struct q8_256 *a)
{
    words = _mm256_sub_epi16(words, block_load(a->sums));
    __m256 scale = _mm256_mul_ps(block_scale(weights + 52), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(block_widen(words)), scale, sum);
}

/** The four bytes at `at`, four times, as words. */
ROWS_INLINE __m256i tq1_0_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
}

#endif
