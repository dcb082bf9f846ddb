/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: the codes are signed bytes as they are stored, so there is no up-convert but the scale.
 */
#include "micro/kernels/blocks_neon.h"
#include "micro/kernels/q8_0/layout.h"

#define BLOCK_ACTIVATIONS struct q8_32
#define BLOCK_VALUE       q8_32_value
#define BLOCKS_TOGETHER   2
#define ROW_BY_ROW        0

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
    int8x16_t low = vreinterpretq_s8_u8(vld1q_u8(weights + 2)), high = vreinterpretq_s8_u8(vld1q_u8(weights + 18));
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
