/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: nibbles are parted and looked up 16 at a time, twice the value; the scale, halved, comes
 * from a table.
 */
#include "micro/families/blocks/rows_reference.h"
#include "micro/formats/mxfp4/scale.h"

static const uint32_t half_scales[256] = MXFP4_HALF_SCALES;

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct reference_operand *a)
{
    float scale;
    memcpy(&scale, &half_scales[weights[0]], sizeof scale);
    return add_nibbles(sum, weights + 1, _mm_setr_epi8(MXFP4_TWICE), scale, a->part);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = REFERENCE_KERNEL(NULL);

#include "micro/frames/gamma.h"
