/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens. A code times the scale of its group of 16 columns is at most 45, a byte: as rows are interleaved,
 * the four fields of a byte are unpacked and vpmullw scales them, so that a block of 256 is one integer sum. The minima meet
 * the sums of the activations.
 */
#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_HAS_MINIMA  1
#define GEMM_OFFSET      0
#include "micro/families/k_quants/gemm_k256_avx512_vnni.h"
#include "micro/formats/q2_k/unpack_512.h"

/** groups[i]: what 4 i … 4 i + 3 of a row's 16 groups have, a byte each. */
ROWS_INLINE void put_minima(const __m512i *groups, uint8_t *to)
{
    const __m512i words[2] = {_mm512_set1_epi32((int32_t)0x80018000), _mm512_set1_epi32((int32_t)0x80038002)};
    const __m512i lane = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x00040004, 0x00080008, 0x000c000c));
    for (int pair = 0; pair < 8; pair++) {
        __m512i minima = _mm512_and_si512(_mm512_srli_epi16(groups[pair / 2], 4), _mm512_set1_epi8(15));
        __m512i bytes = _mm512_add_epi8(words[pair % 2], lane);
        _mm512_store_si512(to + 64 * pair, _mm512_shuffle_epi8(minima, bytes));
    }
}

/** 16 bytes of codes of each row are a group of 16 columns in each of four fields. */
ROWS_INLINE void interleave(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    __m512i groups[4], codes[4];
    gemm_put_scales(rows + BLOCK_D, stride, count, to + GEMM_SCALES);
    gemm_put_scales(rows + BLOCK_DMIN, stride, count, to + GEMM_SCALES + 64);
    gemm_transpose(rows, stride, count, groups);
    put_minima(groups, to + GEMM_MINIMA);
#pragma GCC unroll 4
    for (int sixteen = 0; sixteen < 4; sixteen++) {
        gemm_transpose(rows + BLOCK_CODES + 16 * sixteen, stride, count, codes);
        q2_k_unpack_sixteen(groups, codes, sixteen, to);
    }
}

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count >= 16)
        interleave(rows + block * BLOCK_BYTES, stride, 16, to);
    else
        interleave(rows + block * BLOCK_BYTES, stride, count, to);
}

#include "micro/families/blocks/gemm_q8.h"
#include "micro/formats/q2_k/row.h"
#include "micro/frames/gemm_blocks.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_MODEL,
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .prepared_bytes_per_step = sizeof(gemm_q8),
    .prepare = prepare,
    .row = minima_row,
    .gemm = GEMM,
};
