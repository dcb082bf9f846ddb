/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, blocks as they are stored.
 */
#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#define GEMM_OFFSET      8
#include "micro/kernels/gemm_block32_avx512_vnni.h"

ROWS_INLINE __m512i gemm_low(__m512i line)
{
    return _mm512_and_si512(line, _mm512_set1_epi8(15));
}

ROWS_INLINE __m512i gemm_high(__m512i line)
{
    return gemm_low(_mm512_srli_epi16(line, 4));
}

#include "micro/kernels/gemm_blocks.h"
#include "micro/kernels/gemm_q8.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "q4_0_m16.offset.avx512_vnni",
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
