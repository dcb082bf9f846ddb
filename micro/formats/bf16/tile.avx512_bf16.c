/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by six tokens of vdpbf16ps: activations are rounded to bfloat16 as well, so that 32 columns are 24
 * instructions of two multiply-adds a lane, and nothing is widened. What such a product adds up is rounded after each
 * of its two terms, and numbers below the normal ones count as 0.
 */
#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/half.h"

#define GEMM_CONVERTS
#define GEMM_VECTORS    1
#define GEMM_UNIT_BYTES 64
#define GEMM_COLUMNS    32
#define gemm_vector     __m512i
#include "micro/families/floats/gemm_rows_f32.h"

/** To nearest even, numbers below the normal ones to 0. */
ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    const float *x = (const float *)activations + column;
    return (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + 16), _mm512_loadu_ps(x));
}

ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    (void)number;
    return _mm512_loadu_si512(unit);
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    return _mm512_dpbf16_ps(sum, (__m512bh)weights, (__m512bh)activations);
}

#include "micro/frames/gemm_rows.h"

extern const struct format SELF_FORMAT;

static size_t prepared_bytes(size_t k)
{
    return k * sizeof(uint16_t);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    for (size_t column = 0; column < k; column += GEMM_COLUMNS)
        _mm512_storeu_si512((uint16_t *)prepared + column, gemm_activations(activations, column));
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    double *weights = malloc(k * sizeof *weights);
    if (!weights)
        return (struct kernel_row){NAN, NAN};
    SELF_FORMAT.row_weights(panel, k, row, weights);
    for (size_t column = 0; column < k; column++) {
        double term = weights[column] * (double)bfloat_to_float(((const uint16_t *)prepared)[column]);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    free(weights);
    return sum;
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "bf16.dot.avx512_bf16",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 16,
    .error_bound = 0x1p-8, /* half of the last of 7 bits after the point */
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
    .gemm = GEMM,
};
