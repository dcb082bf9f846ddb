/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q6_k_m16.lanes.avx512_vnni of whole blocks: lanes.h.
 */
#include "micro/kernels/q6_k_m16/layout.h"

#define ROWS_TOGETHER 2
#include "micro/kernels/k_quant_lanes_512.h"

#define SUM_LINES 2

ROWS_INLINE lanes_ints scale_words(lanes_ints bytes, int byte)
{
    const __m512i lanes = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x0400, 0x0800, 0x0c00));
    __m512i at = _mm512_add_epi8(lanes, _mm512_set1_epi32((int32_t)(0x80800080u | (uint32_t)byte << 8)));
    return _mm512_srai_epi16(_mm512_shuffle_epi8(bytes, at), 8);
}

ROWS_INLINE lanes_ints add_words(lanes_ints total, lanes_ints sums, lanes_ints words)
{
    return _mm512_dpwssd_epi32(total, sums, words);
}

#include "micro/kernels/q6_k_m16/lanes.h"

const struct kernel SELF = Q6_K_LANES_KERNEL(4096, SELF_NAME);
