/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored. Of a block and a token 8 rows take 8 vpmaddubsw, 7 additions of words, one vpmaddwd
 * that makes them 32 bits, and the offset, conversion and scales.
 */
#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#define GEMM_OFFSET      8
#include "micro/kernels/gemm_block32_256.h"

ROWS_INLINE __m256i gemm_low(__m256i line)
{
    return _mm256_and_si256(line, _mm256_set1_epi8(15));
}

ROWS_INLINE __m256i gemm_high(__m256i line)
{
    return gemm_low(_mm256_srli_epi16(line, 4));
}

/* Words hold the sums of eight products to the end of the block: 15 * 127 * 2 * 8 = 30480. */
ROWS_INLINE __m256i gemm_products(__m256i sums, __m256i codes, __m256i a, bool first)
{
    __m256i words = _mm256_maddubs_epi16(codes, a);
    return first ? words : _mm256_add_epi16(sums, words);
}

ROWS_INLINE __m256i gemm_whole(__m256i sums, int32_t offset)
{
    return _mm256_add_epi32(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)), _mm256_set1_epi32(offset));
}

#include "micro/kernels/gemm_blocks.h"
#include "micro/kernels/gemm_q8.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "q4_0_m16.offset.avx2",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .prepared_bytes_per_step = sizeof(gemm_q8),
    .prepare = prepare,
    .row = block_row,
    .gemm = GEMM,
};
