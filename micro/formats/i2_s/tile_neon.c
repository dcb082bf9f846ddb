/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of I2_S, four rows by six tokens with sdot, or three with smull, smlal2 and sadalp: 128 columns of four rows are 48 shifts and masks for 192 or
 * 96 products of 16.
 */
#include "micro/frames/gemm_rows_int32_neon.h"

#define GEMM_VECTORS    (STEP_COLUMNS / GEMM_COLUMNS)
#define GEMM_UNIT_BYTES STEP_BYTES

/** Fields in the order of their columns: bits 7:6 first, each of 32 columns. */
ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    __asm__ volatile("" ::: "memory"); /* keeps loads of the next rows after this one */
    uint8x16_t bytes = vld1q_u8(unit + number % 2 * 16);
    uint8x16_t codes = number / 2 == 0   ? vshrq_n_u8(bytes, 6)
                       : number / 2 == 1 ? vandq_u8(vshrq_n_u8(bytes, 4), mask)
                       : number / 2 == 2 ? vandq_u8(vshrq_n_u8(bytes, 2), mask)
                                         : vandq_u8(bytes, mask);
    return vreinterpretq_s8_u8(codes);
}

#include "micro/frames/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_MODEL,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemm = GEMM,
};
