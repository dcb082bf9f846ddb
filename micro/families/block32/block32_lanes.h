/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a kernel whose inner loop is a step of block32_lanes_frame.h: its operand, and rows as they lie. The including .S
 * says how much more a code is than its weight, OFFSET, and with CODES_ARE_SPLIT that high nibbles have sums of their own.
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_LANES_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_LANES_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/kernel.h"

extern const struct format SELF_FORMAT;

/** 32 columns of the activations: micro/families/block32/block32_operand.h. */
struct block32_operand {
    int8_t q[32];
    float unused, scale;
    int32_t start, start_high;
    int8_t magnitudes[32];
};

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct block32_operand *to = prepared;
    for (size_t i = 0; i < k / 32; i++, to++) {
        struct q8_32 q8;
        q8_32_make((const float *)activations + 32 * i, 32, &q8);
        int32_t low =
            CODES_ARE_SPLIT
                ? q8_sum(q8_sums_of_4(_mm256_zextsi128_si256(_mm_load_si128((const __m128i *)(const void *)q8.q))))
                : q8.sum;
        memcpy(to->q, q8.q, sizeof to->q);
        to->unused = 0;
        to->scale = q8.scale;
        to->start = -OFFSET * low;
        to->start_high = -16 * OFFSET * (q8.sum - low);
        __m256i magnitudes = _mm256_abs_epi8(_mm256_load_si256((const __m256i *)(const void *)q8.q));
        _mm256_storeu_si256((__m256i *)(void *)to->magnitudes, magnitudes);
    }
}

static double value(const struct block32_operand *blocks, size_t column)
{
    const struct block32_operand *x = &blocks[column / 32];
    return (double)x->scale * x->q[column % 32];
}

KERNEL_ROW(row_of, value(prepared, column))

static void finish(const float *raw, float *out)
{
    _mm256_storeu_ps(out, _mm256_load_ps(raw));
    _mm256_storeu_ps(out + 8, _mm256_load_ps(raw + 8));
}

/** A kernel whose sequence has its name. */
#define BLOCK32_LANES_KERNEL                                                                                           \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 32,                \
        .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes_per_step = sizeof(struct block32_operand),        \
        .prepare = prepare, .row = row_of                                                                              \
    }

#endif
