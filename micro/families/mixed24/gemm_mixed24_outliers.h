/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The outliers of a panel times all tokens, after its dense products: gemm_after_blocks() of gemm_blocks.h. An outlier meets the quantized
 * activations of its column, those of a group of tokens side by side, which stand in four of every four bytes: a shuffle puts each at the top
 * of a lane, and the value is 2^24 smaller.
 *
 * Rows have a few outliers each, how many no predictor knows. So there is no loop over a row: they go by in one loop, and sums stay in
 * memory, where those of a row would wait for each other. Outliers a sixteenth of the panel's apart follow one another instead, mostly
 * of different rows.
 */
#ifndef MICRO_FAMILIES_MIXED24_GEMM_MIXED24_OUTLIERS_H
#define MICRO_FAMILIES_MIXED24_GEMM_MIXED24_OUTLIERS_H

#include "micro/families/mixed24/mixed24_outliers_row.h"

enum { OUTLIER_LANES = GEMM_TOKENS > 4 ? 8 : 4 };

typedef float outlier_floats __attribute__((vector_size(4 * OUTLIER_LANES), may_alias));
typedef outlier_floats outlier_floats_anywhere __attribute__((aligned(4), may_alias));

struct gemm_outlier {
    uint32_t q,
        scale; /* bytes of a group's operand at which the activations of its four columns begin, and the scales of its step */
    uint16_t row, in_four;
    float value;
};

/** The activations of one of four columns, times 2^24. */
ROWS_INLINE outlier_floats outlier_activations(const uint8_t *four, size_t in_four)
{
#define COLUMN(c) -1, -1, -1, c, -1, -1, -1, c + 4, -1, -1, -1, c + 8, -1, -1, -1, c + 12
    static const int8_t tops[4][16] = {{COLUMN(0)}, {COLUMN(1)}, {COLUMN(2)}, {COLUMN(3)}};
#undef COLUMN
    const __m128i top = _mm_loadu_si128((const __m128i *)(const void *)tops[in_four]);
#if GEMM_TOKENS > 4
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)four);
    return (outlier_floats)_mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(top)));
#else
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)four);
    return (outlier_floats)_mm_cvtepi32_ps(_mm_shuffle_epi8(bytes, top));
#endif
}

/** A panel's outliers in the order in which they are added, and zeros up to a multiple of 16. @return how many, zeros included */
static size_t outliers_list(const struct gemm_slice *slice, size_t panel, struct gemm_outlier *list)
{
    const struct mixed24_outliers outliers =
        mixed24_outliers_of(slice->weights + panel * slice->panel_bytes, slice->k, OUTLIERS_PER_MILLE);
    size_t each = (outliers.end[MIXED24_ROWS - 1] + 15) / 16, place = 0, in_turn = 0;
    for (size_t i = 0; i < 16 * each; i++)
        list[i] = (struct gemm_outlier){.scale = offsetof(struct gemm_operand, scale)};
    for (uint32_t row = 0, i = 0; row < MIXED24_ROWS; row++) {
        for (; i < outliers.end[row]; i++) {
            size_t column = outliers.column[i], step = column / GEMM_COLUMNS * sizeof(struct gemm_operand);
            __m128 value = _mm_cvtph_ps(_mm_cvtsi32_si128(outliers.value[i]));
            list[place * 16 + in_turn] = (struct gemm_outlier){
                .q = (uint32_t)(step + offsetof(struct gemm_operand, q[column % GEMM_COLUMNS / 4])),
                .scale = (uint32_t)(step + offsetof(struct gemm_operand, scale)),
                .row = (uint16_t)row,
                .in_four = (uint16_t)(column % 4),
                .value = _mm_cvtss_f32(value) * 0x1p-24f,
            };
            if (++place == each) {
                place = 0;
                in_turn++;
            }
        }
    }
    return 16 * each;
}

/** Sums of 16 rows to some tokens' outputs. */
ROWS_INLINE void outliers_store(const outlier_floats *sums, float *out, size_t stride, size_t tokens)
{
    for (size_t row = 0; row < MIXED24_ROWS; row += 4) {
        __m128 at[OUTLIER_LANES];
#pragma GCC unroll 2
        for (size_t i = 0; i < OUTLIER_LANES; i += 4) {
            for (size_t r = 0; r < 4; r++)
                at[i + r] = _mm_loadu_ps((const float *)(const void *)&sums[row + r] + i);
            _MM_TRANSPOSE4_PS(at[i], at[i + 1], at[i + 2], at[i + 3]);
        }
        for (size_t t = 0; t < tokens; t++)
            _mm_storeu_ps(out + t * stride + row, _mm_add_ps(_mm_loadu_ps(out + t * stride + row), at[t]));
    }
}

static void outliers_add(const struct gemm_outlier *list, size_t count, const uint8_t *operand, float *out,
                         size_t stride, size_t tokens)
{
    outlier_floats sums[MIXED24_ROWS] = {{0}};
    for (size_t i = 0; i < count; i++) {
        const struct gemm_outlier *it = &list[i];
        outlier_floats scale = *(const outlier_floats_anywhere *)(const void *)(operand + it->scale);
        sums[it->row] += outlier_activations(operand + it->q, it->in_four) * scale * it->value;
    }
    outliers_store(sums, out, stride, tokens);
}

static void gemm_after_blocks(const struct gemm_slice *slice, size_t row, size_t rows)
{
    struct gemm_outlier *list = slice->scratch;
    for (size_t end = row + rows; row < end; row += MIXED24_ROWS) {
        size_t count = outliers_list(slice, row / MIXED24_ROWS, list);
        for (size_t token = 0; token < slice->tokens; token += GEMM_TOKENS) {
            size_t left = slice->tokens - token;
            outliers_add(list, count,
                         (const uint8_t *)slice->prepared + token / GEMM_TOKENS * gemm_prepared_bytes(slice->k),
                         slice->out + token * slice->out_stride + row, slice->out_stride,
                         left < GEMM_TOKENS ? left : GEMM_TOKENS);
        }
    }
}

/** The list lies where unpacked weights were. */
static size_t outliers_scratch_bytes(size_t k, size_t tokens)
{
    size_t list = mixed24_outliers_room(k, OUTLIERS_PER_MILLE) * sizeof(struct gemm_outlier);
    size_t weights = gemm_scratch_bytes(k, tokens);
    return list > weights ? list : weights;
}
#undef GEMM_SCRATCH
#define GEMM_SCRATCH outliers_scratch_bytes

#endif
