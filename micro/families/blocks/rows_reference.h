/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows as llama.cpp multiplies them whose activations are blocks of 32: a row after the other, nothing prefetched, signed bytes times
 * signed bytes, and sums of a block that are scaled as floats. The including .c defines
 *
 *   ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct reference_operand *a)
 *
 * by the functions below, then includes block_rows.h, and says `const struct kernel SELF = REFERENCE_KERNEL(differs);`
 * BLOCKS_TOGETHER it may define itself. With rows_reference_gemm.h before that, the kernel is a GEMM, too.
 */
#ifndef MICRO_FAMILIES_BLOCKS_ROWS_REFERENCE_H
#define MICRO_FAMILIES_BLOCKS_ROWS_REFERENCE_H

#define KERNEL_ORIGIN "llama.cpp"

#ifdef __aarch64__
#include "micro/families/blocks/blocks_neon.h"
#else
#include "micro/families/blocks/blocks_avx2.h"
#endif
#include "micro/families/blocks/q8_packed.h"

#define BLOCK_ACTIVATIONS struct reference_operand
#define BLOCK_VALUE       reference_value
#define ROW_BY_ROW        1
#ifndef BLOCKS_TOGETHER
#define BLOCKS_TOGETHER (BLOCK_COLUMNS == 32 && BLOCK_BYTES < 32 ? 2 : 1)
#endif

/** The columns of a block of weights. */
struct reference_operand {
    struct q8_32_packed part[BLOCK_COLUMNS / 32];
};

static inline double reference_value(const struct reference_operand *a, size_t column)
{
    return q8_32_packed_value(a->part, column);
}

#ifdef __aarch64__
/** A block of 32 columns, of weights that are signed bytes. */
ROWS_INLINE block_floats add_signed(block_floats sum, int8x16_t low, int8x16_t high, float scale,
                                    const struct q8_32_packed *a)
{
    int32x4_t whole = vdotq_s32(vdupq_n_s32(0), low, vld1q_s8(a->q));
    whole = vdotq_s32(whole, high, vld1q_s8(a->q + 16));
    return vfmaq_n_f32(sum, vcvtq_f32_s32(whole), scale * a->scale);
}
#else
/** Products of signed bytes, four neighbours added. Two of 128 times 127 fit 16 bits. */
ROWS_INLINE __m256i signed_products(__m256i w, const int8_t *a)
{
    return block_widen(_mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(block_load(a), w)));
}

/** Of 16 bytes, the values of the low and of the high nibbles. */
ROWS_INLINE __m128i low_values(__m128i nibbles, __m128i values)
{
    return _mm_shuffle_epi8(values, _mm_and_si128(nibbles, _mm_set1_epi8(15)));
}

ROWS_INLINE __m128i high_values(__m128i nibbles, __m128i values)
{
    return low_values(_mm_srli_epi16(nibbles, 4), values);
}

/** A block of 32 columns: codes of 4 bits that stand for `values`, byte i of them for columns i and i + 16. */
ROWS_INLINE __m256 add_nibbles(__m256 sum, const uint8_t *codes, __m128i values, float scale,
                               const struct q8_32_packed *a)
{
    __m128i nibbles = block_load_half(codes);
    __m256i w = _mm256_set_m128i(high_values(nibbles, values), low_values(nibbles, values));
    __m256 whole = _mm256_cvtepi32_ps(signed_products(w, a->q));
    return _mm256_fmadd_ps(whole, _mm256_set1_ps(scale * a->scale), sum);
}

#endif

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_packed_make(activations, k, prepared);
}

#ifndef REFERENCE_GEMM
#define REFERENCE_GEMM                                                                                                 \
    {                                                                                                                  \
        0                                                                                                              \
    }
#endif

#define REFERENCE_KERNEL(what_differs)                                                                                 \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .differs = what_differs, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,        \
        .float_sums = 32, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                                 \
        .prepared_bytes_per_step = sizeof(struct reference_operand), .prepare = prepare, .row = block_row,             \
        .gemm = REFERENCE_GEMM                                                                                         \
    }

#endif
