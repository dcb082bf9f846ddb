/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: one vpshufb looks up twice the value, 12 more. The scale, halved, is a load from a table. 7 vector uops of a block
 * of 32.
 */
#include "micro/kernels/mxfp4/layout.h"
#include "micro/kernels/mxfp4/scale.h"
#include "micro/kernels/products_avx_vnni.h"

#define CODE_OFFSET 12
#define ROW_CODES   1
#define ROW_SCALE   half_scale

ROWS_INLINE __m256i nibble_codes(__m256i bytes)
{
    __m256i codes = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_setr_epi8(MXFP4_TWICE_OFFSET)), codes);
}

static const uint32_t half_scales[256] = MXFP4_HALF_SCALES;

ROWS_INLINE __m256 half_scale(const uint8_t *weights)
{
    return _mm256_castsi256_ps(_mm256_set1_epi32((int32_t)half_scales[weights[0]]));
}

#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;
