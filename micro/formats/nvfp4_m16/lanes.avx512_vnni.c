/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four panels side by side, lanes are rows: twice the values are looked up, 12 more; of a group of 16 columns a conversion of its sums, one of its
 * scales and a multiply-add.
 */
#include "micro/formats/mxfp4/codes.h"
#include "micro/formats/nvfp4/lane_scales.h"

#define NVFP4_REGISTER 0
#include "micro/formats/nvfp4/operand.h"

#define BLOCKS_TOGETHER 1
#define BLOCK_FLOATS    "micro/families/blocks/blocks_avx512.h"
#include BLOCK_FLOATS

#define BLOCK_STORE(out, panel, sum) _mm512_storeu_ps((out) + (panel)*BLOCK_ROWS, sum)

/** Four activations in all lanes. */
ROWS_INLINE __m512i broadcast(const int8_t *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm512_set1_epi32(bits);
}

ROWS_INLINE __m512 group_sums(const uint8_t *lines, const struct nvfp4_operand *a, int group)
{
    __m512i sums = _mm512_set1_epi32(a->start_of_group[group]);
#pragma GCC unroll 2
    for (int c = 0; c < 2; c++) {
        __m512i line = _mm512_loadu_si512(lines + 64 * c);
        ROWS_IN_REGISTER(line);
        sums = _mm512_dpbusd_epi32(sums, nibble_codes(line), broadcast(a->q + 16 * group + 4 * c));
        sums = _mm512_dpbusd_epi32(sums, nibble_codes(_mm512_srli_epi16(line, 4)),
                                   broadcast(a->q + 16 * group + 8 + 4 * c));
    }
    return _mm512_cvtepi32_ps(sums);
}

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct nvfp4_operand *a)
{
    __m512 whole = _mm512_setzero_ps();
#pragma GCC unroll 4
    for (int group = 0; group < 4; group++)
        whole = _mm512_fmadd_ps(group_sums(weights + BLOCK_CODES + 128 * group, a, group),
                                nvfp4_lane_scales(weights + 16 * group), whole);
    return _mm512_fmadd_ps(whole, _mm512_set1_ps(a->scale), sum);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = NVFP4_KERNEL;

#include "micro/frames/gamma.h"
