/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: one tbl looks up 16 values of the codebook, which are signed bytes.
 */
#include "micro/kernels/blocks_neon.h"
#include "micro/kernels/iq4_nl/codebook.h"
#include "micro/kernels/iq4_nl/layout.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   4
#define ROW_BY_ROW        0

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
    static const int8_t values[16] = {IQ4_NL_CODEBOOK};
    int8x16_t codebook = vld1q_s8(values);
    uint8x16_t codes = vld1q_u8(weights + 2);
    int8x16_t low = vqtbl1q_s8(codebook, vandq_u8(codes, vdupq_n_u8(15)));
    int8x16_t high = vqtbl1q_s8(codebook, vshrq_n_u8(codes, 4));
    int32x4_t whole = block_dot(block_dot(vdupq_n_s32(0), low, vld1q_s8(a->q)), high, vld1q_s8(a->q + 16));
    return vfmaq_n_f32(sum, vcvtq_f32_s32(whole), block_scale(weights) * a->scale);
}

#include "micro/kernels/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_NAME,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};
