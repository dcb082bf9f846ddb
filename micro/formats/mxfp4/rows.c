/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side (block32_rows.h): one vpshufb looks up twice the value, for VNNI 12 more, else signed, and its sign goes to the activations. The
 * scale, halved, is a load from a table. Vector uops of a block of 32: 10 on avx2, 7 on avx_vnni.
 */
#include "micro/formats/mxfp4/codes.h"
#include "micro/formats/mxfp4/scale.h"

#define ROW_SCALE(register_of) register_of(general, uint32_t, scale)

static const uint32_t half_scales[256] = MXFP4_HALF_SCALES;

ROWS_INLINE uint32_t row_scale_bits(const uint8_t *weights)
{
    return weights[0];
}

ROWS_INLINE __m256 row_scale(uint32_t bits)
{
    return _mm256_castsi256_ps(_mm256_set1_epi32((int32_t)half_scales[bits]));
}

#include "micro/families/block32/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;

#include "micro/frames/gamma.h"
