/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: nibbles are parted and looked up 16 at a time, twice the value, and brought into the
 * order of their columns; scales, halved, come from a table, are multiplied one by one and put together for the two groups of a register.
 */
#include "micro/families/blocks/rows_reference.h"
#include "micro/formats/mxfp4/scale.h"

/** Of a byte ue4m3, halved: nvfp4/block.h. */
#define HALF_SCALE(b)     ((b) / 8 % 16 ? (float)((8 + (b) % 8) << (b) / 8 % 16) * 0x1p-11f : (float)((b) % 8) * 0x1p-10f)
#define HALF_SCALES_4(b)  HALF_SCALE(b), HALF_SCALE((b) + 1), HALF_SCALE((b) + 2), HALF_SCALE((b) + 3)
#define HALF_SCALES_16(b) HALF_SCALES_4(b), HALF_SCALES_4((b) + 4), HALF_SCALES_4((b) + 8), HALF_SCALES_4((b) + 12)
#define HALF_SCALES_64(b)                                                                                              \
    HALF_SCALES_16(b), HALF_SCALES_16((b) + 16), HALF_SCALES_16((b) + 32), HALF_SCALES_16((b) + 48)

static const float half_scales[256] = {HALF_SCALES_64(0), HALF_SCALES_64(64), HALF_SCALES_64(128), HALF_SCALES_64(192)};

/** Two groups. */
ROWS_INLINE __m256 add_groups(__m256 sum, const uint8_t *scales, const uint8_t *codes, const struct q8_32_packed *a)
{
    const __m128i values = _mm_setr_epi8(MXFP4_TWICE);
    __m128i nibbles = block_load_half(codes), low = low_values(nibbles, values), high = high_values(nibbles, values);
    __m256i w = _mm256_set_m128i(_mm_unpackhi_epi64(low, high), _mm_unpacklo_epi64(low, high));
    __m256 scale =
        _mm256_set_m128(_mm_set1_ps(half_scales[scales[1]] * a->scale), _mm_set1_ps(half_scales[scales[0]] * a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(signed_products(w, a->q)), scale, sum);
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct reference_operand *a)
{
    sum = add_groups(sum, weights, weights + BLOCK_CODES, a->part);
    return add_groups(sum, weights + 2, weights + BLOCK_CODES + 16, a->part + 1);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = REFERENCE_KERNEL(NULL);

#include "micro/frames/gamma.h"
