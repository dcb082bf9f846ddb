/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: one vpshufb looks up twice the value, and its sign goes to the activations. The scale, halved, is a load from a
 * table. 10 vector uops of a block of 32.
 */
#include "micro/kernels/mxfp4/codes_signed_256.h"
#include "micro/kernels/mxfp4/layout.h"
#include "micro/kernels/mxfp4/scale.h"
#include "micro/kernels/products_avx2.h"

#define ROW_CODES 1
#define ROW_SCALE half_scale

static const uint32_t half_scales[256] = MXFP4_HALF_SCALES;

ROWS_INLINE __m256 half_scale(const uint8_t *weights)
{
    return _mm256_castsi256_ps(_mm256_set1_epi32((int32_t)half_scales[weights[0]]));
}

#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;
