/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side, a block a register: its 32 bytes of codes are repeated and one shift by 0 and 4 bits parts them. Two lanes of each half
 * are a group's, and one conversion makes floats of its four scales. 13 vector uops of 64 columns.
 */
#include "micro/kernels/mxfp4/codes_512.h"
#include "micro/kernels/nvfp4/layout.h"

#define NVFP4_REGISTER 64
#include "micro/kernels/nvfp4/operand.h"

#define BLOCKS_TOGETHER 2
#define BLOCK_FLOATS    "micro/kernels/blocks_avx512.h"
#include BLOCK_FLOATS

/** In the lanes that a group has, 256 times too small. */
ROWS_INLINE __m512 scales_of(const uint8_t *weights)
{
    const __m256i lanes = _mm256_setr_epi8(-1, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 3, -1, 3, /* in upper bytes */
                                           -1, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 3, -1, 3);
    int32_t four;
    memcpy(&four, weights, sizeof four);
    __m256i words = _mm256_shuffle_epi8(_mm256_set1_epi32(four), lanes);
    return _mm512_cvtph_ps(_mm256_and_si256(_mm256_srli_epi16(words, 1), _mm256_set1_epi16(0x3f80)));
}

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct nvfp4_operand *a)
{
    const __m512i shifts = _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(weights + BLOCK_CODES));
    __m512i values = nibble_codes(_mm512_srlv_epi64(_mm512_broadcast_i64x4(bytes), shifts));
    __m512i sums = _mm512_dpbusd_epi32(_mm512_load_si512(a->start), values, _mm512_load_si512(a->q));
    __m512 scale = _mm512_mul_ps(scales_of(weights), _mm512_set1_ps(a->scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), scale, sum);
}

#include "micro/kernels/block_rows.h"

const struct kernel SELF = NVFP4_KERNEL;
