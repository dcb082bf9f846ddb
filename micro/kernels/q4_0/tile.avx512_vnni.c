/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are interleaved in scratch to those of q4_0_m16, some 90 uops a block of 16
 * rows, which a token takes 11 of.
 */
#include "micro/kernels/q4_0/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#include "micro/kernels/q4_0_m16/gemm_avx512_vnni.h"

#include <stdint.h>

/** Four rows' codes in the quarters of a register; rows that are not there are zeros. */
ROWS_INLINE __m512i quarters(const uint8_t *rows, size_t stride, size_t count)
{
    __m512i codes = _mm512_setzero_si512();
    if (count > 0)
        codes = _mm512_zextsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)rows));
    if (count > 4)
        codes = _mm512_inserti32x4(codes, _mm_loadu_si128((const __m128i *)(const void *)(rows + 4 * stride)), 1);
    if (count > 8)
        codes = _mm512_inserti32x4(codes, _mm_loadu_si128((const __m128i *)(const void *)(rows + 8 * stride)), 2);
    if (count > 12)
        codes = _mm512_inserti32x4(codes, _mm_loadu_si128((const __m128i *)(const void *)(rows + 12 * stride)), 3);
    return codes;
}

ROWS_INLINE void interleave(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    const uint8_t *codes = rows + 2;
    for (size_t row = 0; row < 16; row++) {
        uint16_t scale = 0;
        if (row < count)
            memcpy(&scale, rows + row * stride, sizeof scale);
        memcpy(to + 2 * row, &scale, sizeof scale);
    }
    __m512i first = quarters(codes, stride, count),
            second = quarters(codes + stride, stride, count > 1 ? count - 1 : 0);
    __m512i third = quarters(codes + 2 * stride, stride, count > 2 ? count - 2 : 0);
    __m512i fourth = quarters(codes + 3 * stride, stride, count > 3 ? count - 3 : 0);
    __m512i low = _mm512_unpacklo_epi32(first, second), low2 = _mm512_unpacklo_epi32(third, fourth);
    __m512i high = _mm512_unpackhi_epi32(first, second), high2 = _mm512_unpackhi_epi32(third, fourth);
    _mm512_storeu_si512(to + 32, _mm512_unpacklo_epi64(low, low2));
    _mm512_storeu_si512(to + 96, _mm512_unpackhi_epi64(low, low2));
    _mm512_storeu_si512(to + 160, _mm512_unpacklo_epi64(high, high2));
    _mm512_storeu_si512(to + 224, _mm512_unpackhi_epi64(high, high2));
}

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count >= 16)
        interleave(rows + block * BLOCK_BYTES, stride, 16, to);
    else
        interleave(rows + block * BLOCK_BYTES, stride, count, to);
}

#include "micro/kernels/gemm_blocks.h"
#include "micro/kernels/gemm_q8.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "q4_0.blocks16.avx512_vnni",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .prepared_bytes_per_step = sizeof(struct q8_32),
    .prepare = prepare,
    .row = row_of,
    .gemm = GEMM,
};
