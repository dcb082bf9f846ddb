/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens; the four fields of a byte are unpacked as rows are interleaved.
 */
#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_HAS_MINIMA  0
#define GEMM_OFFSET      1
#include "micro/families/k_quants/gemm_k256_avx512_vnni.h"

/** 16 bytes of codes of each row: 64 columns, of which those of a field are neighbours. */
ROWS_INLINE void interleave(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    gemm_put_scales(rows + 64, stride, count, to + GEMM_SCALES);
    for (int sixteen = 0; sixteen < 4; sixteen++) {
        __m512i codes[4];
        gemm_transpose(rows + 16 * sixteen, stride, count, codes);
        uint8_t *columns = to + 16 * (sixteen / 2 * 128 + sixteen % 2 * 16);
        for (int i = 0; i < 4; i++) {
            for (int field = 0; field < 4; field++)
                _mm512_store_si512(columns + 16 * 32 * field + 64 * i,
                                   _mm512_and_si512(_mm512_srli_epi16(codes[i], 2 * field), _mm512_set1_epi8(3)));
        }
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
#include "micro/frames/gemm_blocks.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "tq2_0.mask.avx512_vnni",
    .prefetch_bytes = 1024,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .prepared_bytes_per_step = sizeof(gemm_q8),
    .prepare = prepare,
    .row = block_row,
    .gemm = GEMM,
};
