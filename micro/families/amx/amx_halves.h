/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on tiles of weights of 16-bit floats, row by row: amx_rows.h. Activations are rounded to the same type, multiplied before with
 * a power of two of each token, which is exact, so that none leaves its range, and sums with its inverse.
 *
 * The including file has defined ROWS_PRODUCT, tdpbf16ps or tdpfp16ps, and defines afterwards
 *
 *   halves_rounded(first, second)   32 floats, to nearest even
 *   halves_factor(most)             power of two, of a token whose largest magnitude is `most`
 *   halves_value(bits)
 *
 * Predicted, not measured (16.3 cycles a full tdp): 8,192 multiply-adds a tdp, 502 a cycle at most.
 */
#ifndef MICRO_FAMILIES_AMX_AMX_HALVES_H
#define MICRO_FAMILIES_AMX_AMX_HALVES_H

#include <math.h>

#define UNIT_STEPS    1
#define UNIT_COLUMNS  32
#define ROWS_ELEMENTS 2
#include "micro/families/amx/amx_rows.h"

extern const struct format SELF_FORMAT;

AMX_INLINE __m512i halves_rounded(__m512 first, __m512 second);
static float halves_factor(float most);
static float halves_value(uint16_t bits);

/** A copy. */
AMX_INLINE void rows_unpack(const uint8_t *from, size_t bytes, uint8_t *to)
{
    (void)bytes; /* K is whole units */
    _mm512_store_si512(to, _mm512_loadu_si512(from));
}

AMX_INLINE size_t rows_line(size_t column)
{
    return column / ROWS_ELEMENTS;
}

/* ---- activations ---- */

/** Tiles, then the inverse factors of 16 tokens. */
static size_t group_bytes(size_t k)
{
    return rows_steps(k) * TILE_BYTES + TILE_ROW_BYTES;
}

AMX_INLINE __m512 rows_finish(const struct amx_walk *walk, size_t token, __m512i sums)
{
    const uint8_t *group = (const uint8_t *)walk->slice->prepared + token / 16 * walk->group_bytes;
    const float *inverse = (const float *)(const void *)(group + walk->group_bytes - TILE_ROW_BYTES) + token % 16;
    return _mm512_mul_ps(_mm512_castsi512_ps(sums), _mm512_set1_ps(*inverse));
}

static float factor_of(const float *x, size_t k)
{
    __m512 most = _mm512_setzero_ps();
    for (size_t column = 0; column < k; column += 16)
        most = _mm512_max_ps(most, _mm512_abs_ps(_mm512_loadu_ps(x + column)));
    return halves_factor(_mm512_reduce_max_ps(most));
}

AMX_INLINE __m512i rounded_at(const float *x, float factor)
{
    const __m512 by = _mm512_set1_ps(factor);
    return halves_rounded(_mm512_mul_ps(_mm512_loadu_ps(x), by), _mm512_mul_ps(_mm512_loadu_ps(x + 16), by));
}

/** [32 columns] [pair of columns] [16 tokens] [2]; tokens that are not there are zero. */
static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    float factor[16], *inverse = (float *)(void *)((uint8_t *)prepared + group_bytes(k) - TILE_ROW_BYTES);
    for (size_t token = 0; token < 16; token++) {
        factor[token] = token < tokens ? factor_of((const float *)activations + token * stride, k) : 1;
        inverse[token] = 1 / factor[token];
    }
    for (size_t column = 0; column < k; column += UNIT_COLUMNS) {
        __m512i lines[16];
        for (size_t token = 0; token < 16; token++)
            lines[token] = token < tokens
                               ? rounded_at((const float *)activations + token * stride + column, factor[token])
                               : _mm512_setzero_si512();
        rows_put_columns(lines, column, prepared);
    }
}

/* ---- what one token must give ---- */

static size_t prepared_bytes(size_t k)
{
    return k * sizeof(uint16_t) + sizeof(float);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float factor = factor_of(activations, k), inverse = 1 / factor;
    for (size_t column = 0; column < k; column += UNIT_COLUMNS)
        _mm512_storeu_si512((uint16_t *)prepared + column, rounded_at((const float *)activations + column, factor));
    memcpy((uint16_t *)prepared + k, &inverse, sizeof inverse);
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    float inverse;
    memcpy(&inverse, (const uint16_t *)prepared + k, sizeof inverse);
    for (uint32_t column = 0; column < k; column++) {
        double x = (double)halves_value(((const uint16_t *)prepared)[column]) * (double)inverse;
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * x;
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

static void run(const struct gemm_slice *slice)
{
    rows_run(slice, group_bytes(slice->k));
}

/* Of struct kernel. Sums are rounded 15 times within a tdp, once to add its pairs, once for each 32 columns. */
#define AMX_HALVES                                                                                                     \
    .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 32, .prepared_bytes = prepared_bytes,          \
    .prepare = prepare, .row = row_of
#define AMX_HALVES_GEMM                                                                                                \
    .run = run, .prepare_many = prepare_many, .tokens_per_group = 16, .unpacks_alone = true,                           \
    .prepared_bytes = group_bytes, .scratch_bytes = rows_scratch_bytes

#endif
