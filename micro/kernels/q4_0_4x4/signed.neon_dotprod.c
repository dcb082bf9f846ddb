/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q4_0.signed.neon_dotprod over four panels side by side [arm-kernels-codebooks, 4.1.2, Fig. 4]: a lane is a row, the
 * activations come by element, and the conversion to float undoes the 16 times that a shift and a mask leave the codes. 21 uops for a
 * block of four rows, of which 8 sdot.
 */
#include "micro/kernels/blocks_neon.h"
#include "micro/kernels/q4_0_4x4/layout.h"

#define BLOCK_ACTIVATIONS            struct q8_32
#define BLOCK_VALUE                  q8_32_value
#define BLOCKS_TOGETHER              1
#define BLOCK_STORE(out, panel, sum) vst1q_f32((out) + BLOCK_ROWS * (panel), sum)
#define ROW_BY_ROW                   0

/** Four columns of the lower codes and the four 16 behind them, of four rows. */
#define ADD_CODES(whole, codes, low, high, element)                                                                    \
    vdotq_laneq_s32(vdotq_laneq_s32(whole, vreinterpretq_s8_u8(vshlq_n_u8(codes, 4)), low, element),                   \
                    vreinterpretq_s8_u8(vandq_u8(codes, vdupq_n_u8(0xf0))), high, element)

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_32 *a)
{
    const uint8_t *codes = weights + BLOCK_CODES;
    int8x16_t low = vld1q_s8(a->q), high = vld1q_s8(a->q + 16);
    int32x4_t whole = ADD_CODES(vdupq_n_s32(0), vld1q_u8(codes), low, high, 0);
    whole = ADD_CODES(whole, vld1q_u8(codes + 16), low, high, 1);
    whole = ADD_CODES(whole, vld1q_u8(codes + 32), low, high, 2);
    whole = ADD_CODES(whole, vld1q_u8(codes + 48), low, high, 3);
    float32x4_t scales = vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(weights)));
    return vfmaq_f32(sum, vcvtq_n_f32_s32(whole, 4), vmulq_n_f32(scales, a->scale));
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
    .origin = "arm-kernels-codebooks",
    .gamma = "q4_0.signed.neon_dotprod",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 32,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q8_32),
    .prepare = prepare,
    .row = block_row,
};
