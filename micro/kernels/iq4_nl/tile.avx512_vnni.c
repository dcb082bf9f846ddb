/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are interleaved in scratch to those of iq4_nl_m16, whose codes are looked up for all tokens of
 * a tile.
 */
#include "micro/kernels/iq4_nl/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_LINES       4
#define GEMM_OFFSET      128
#include "micro/kernels/gemm_block32_avx512_vnni.h"

#include "micro/kernels/gemm_interleave_block32.h"
#include "micro/kernels/iq4_nl/codebook.h"

ROWS_INLINE __m512i gemm_low(__m512i line)
{
    __m512i codes = _mm512_and_si512(line, _mm512_set1_epi8(15));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_setr_epi8(IQ4_NL_CODEBOOK_OFFSET)), codes);
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
    .gamma = "iq4_nl_m16.offset.avx512_vnni",
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
