/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of 32 columns as they are stored, 256 bits: block_rows.h with a block a register. A load that repeats 16 bytes
 * of nibbles and one shift by 0 and 4 bits part them. A lane has four neighbouring columns, and sums begin at what makes their codes
 * weights. The including .c includes before it the codes.h of the format; that and its kernels.def define
 *
 *   BLOCK_CODES                                   byte of a block where its codes begin, 16 nibbles twice or 32 bytes
 *   CODE_OFFSET, nibble_codes() or byte_codes()   what is multiplied, and a products_*.h
 *
 * may itself define
 *
 *   ROW_SCALE(register_of), row_scale_bits(weights), row_scale(bits)
 *                                                 where the scale of a block is held (micro/frames/gamma.h), its load, and what it is in all
 *                                                 lanes; default the half at its first byte
 *
 * and after it says `const struct kernel SELF = BLOCK32_ROWS_KERNEL;`
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_ROWS_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_ROWS_H

#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

/** 32 columns of the activations. */
struct rows_operand {
    int8_t q[32];
    int32_t start[8]; /* of each lane: -CODE_OFFSET times the sum of the activations it meets */
    float scale;
    int32_t unused[7];
} __attribute__((aligned(32)));

#define BLOCK_ACTIVATIONS struct rows_operand
#define BLOCK_VALUE       rows_value
#define BLOCKS_TOGETHER   (BLOCK_BYTES < 32 ? 4 : 2)
#define ROW_BY_ROW        0

static inline double rows_value(const struct rows_operand *a, size_t column)
{
    return (double)a->scale * a->q[column];
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct rows_operand *to = prepared;
    for (size_t i = 0; i < k / 32; i++, to++) {
        struct q8_32 q8;
        q8_32_make((const float *)activations + 32 * i, 32, &q8);
        __m256i q = _mm256_load_si256((const __m256i *)(const void *)q8.q);
        __m256i start = _mm256_mullo_epi32(q8_sums_of_4(q), _mm256_set1_epi32(-CODE_OFFSET));
        memset(to, 0, sizeof *to);
        _mm256_store_si256((__m256i *)(void *)to->q, q);
        _mm256_store_si256((__m256i *)(void *)to->start, start);
        to->scale = q8.scale;
    }
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct rows_operand *a);

#include "micro/families/blocks/block_rows.h"

#ifndef ROW_SCALE
#define ROW_SCALE(register_of) register_of(1, __m128i, scale)

ROWS_INLINE __m128i row_scale_bits(const uint8_t *weights)
{
    int16_t bits;
    memcpy(&bits, weights, sizeof bits);
    return _mm_set1_epi16(bits);
}

ROWS_INLINE __m256 row_scale(__m128i bits)
{
    return _mm256_cvtph_ps(bits);
}
#endif

#define STEP_WEIGHTS(register_of) register_of(0, __m256i, codes) ROW_SCALE(register_of)
#include "micro/frames/step.h"

ROWS_INLINE struct step_weights step_load(const uint8_t *weights)
{
#if BLOCK_BYTES < 32
    __m256i codes = _mm256_broadcastsi128_si256(block_load_half(weights + BLOCK_CODES));
#else
    __m256i codes = block_load(weights + BLOCK_CODES);
#endif
    return (struct step_weights){codes, row_scale_bits(weights)};
}

ROWS_INLINE __m256 step_add(__m256 sum, struct step_weights weights, const struct rows_operand *a)
{
#if BLOCK_BYTES < 32
    __m256i codes = nibble_codes(_mm256_srlv_epi32(weights.codes, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4)));
#else
    __m256i codes = byte_codes(weights.codes);
#endif
    __m256i start = block_load(a->start);
    __m256i whole = products_end(products_add(products_begin(start), codes, block_load(a->q)), start);
    __m256 scale = _mm256_mul_ps(row_scale(weights.scale), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct rows_operand *a)
{
    return step_add(sum, step_load(weights), a);
}

#define BLOCK32_ROWS_KERNEL                                                                                            \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,         \
        .float_sums = 32, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                                 \
        .prepared_bytes_per_step = sizeof(struct rows_operand), .prepare = prepare, .row = block_row                   \
    }

#endif
