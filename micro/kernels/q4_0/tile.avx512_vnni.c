/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are interleaved in scratch to those of q4_0_m16, some 90 uops a block of 16
 * rows, which a token takes 11 of.
 */
#include "micro/kernels/q4_0/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#include "micro/kernels/q4_0_m16/gemm_avx512_vnni.h"

#include "micro/kernels/gemm_interleave_avx512.h"

ROWS_INLINE void interleave(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    __m512i codes[4];
    gemm_gather_halves(rows, stride, count, to);
    gemm_transpose(rows + 2, stride, count, codes);
    for (int i = 0; i < 4; i++)
        _mm512_storeu_si512(to + 32 + 64 * i, codes[i]);
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
    .prepared_bytes_per_step = sizeof(gemm_q8),
    .prepare = prepare,
    .row = block_row,
    .gemm = GEMM,
};
