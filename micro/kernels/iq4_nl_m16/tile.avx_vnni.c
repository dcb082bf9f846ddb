/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored; codes are looked up once for all tokens of a tile.
 */
#include "micro/kernels/iq4_nl/codebook.h"

#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#define GEMM_OFFSET      128
#include "micro/kernels/gemm_block32_256.h"

#include "micro/kernels/gemm_products_avx_vnni.h"

ROWS_INLINE __m256i gemm_low(__m256i line)
{
    __m256i codes = _mm256_and_si256(line, _mm256_set1_epi8(15));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_setr_epi8(IQ4_NL_CODEBOOK_OFFSET)), codes);
}

ROWS_INLINE __m256i gemm_high(__m256i line)
{
    return gemm_low(_mm256_srli_epi16(line, 4));
}

#include "micro/kernels/gemm_blocks.h"
#include "micro/kernels/gemm_q8.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "iq4_nl_m16.offset.avx_vnni",
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
