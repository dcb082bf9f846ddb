/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of TL1 on aarch64: an index is two weights, which two look-ups bring out once for all tokens, then smmla, sdot, or smull, smlal and sadalp:
 * gemm_unpacked_aarch64.h. Look-ups of sums, as GEMVs of TL1 do them, would need tables for every token.
 */
#include "micro/formats/tl1/layout.h"

#define BLOCK_ROWS    TL1_ROWS
#define GEMM_COLUMNS  32
#define BLOCK_BYTES   (GEMM_COLUMNS / TL1_STEP_COLUMNS * TL1_STEP_BYTES)
#define GEMM_INTEGERS 1
#define GEMM_GROUPS   0
#define GEMM_MINIMA   0
#include "micro/families/blocks/gemm_unpacked_aarch64.h"

/** Indices of four rows in `steps` steps, at most four: bytes [step][row]; past them of two zeros. */
ROWS_INLINE uint8x16_t load_steps(const uint8_t *at, size_t steps)
{
    uint32_t word[4] = {0x44444444, 0x44444444, 0x44444444, 0x44444444};
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        if (i < steps)
            memcpy(&word[i], at + i * TL1_STEP_BYTES, sizeof word[i]);
    }
    return vreinterpretq_u8_u32(vld1q_u32(word));
}

/** 16 columns: the two weights of each index, zipped to a row's four of a step. */
ROWS_INLINE void find_weights(uint8x16_t indices, uint8x16_t *q)
{
    const int8x16_t first = {-1, -1, -1, 0, 0, 0, 1, 1, 1}, second = {-1, 0, 1, -1, 0, 1, -1, 0, 1};
    uint8x16_t lower = vandq_u8(indices, vdupq_n_u8(15)), upper = vshrq_n_u8(indices, 4);
    int8x16_t w0 = vqtbl1q_s8(first, lower), w1 = vqtbl1q_s8(second, lower);
    int8x16_t w2 = vqtbl1q_s8(first, upper), w3 = vqtbl1q_s8(second, upper);
    int16x8_t low[2] = {vreinterpretq_s16_s8(vzip1q_s8(w0, w1)), vreinterpretq_s16_s8(vzip2q_s8(w0, w1))};
    int16x8_t high[2] = {vreinterpretq_s16_s8(vzip1q_s8(w2, w3)), vreinterpretq_s16_s8(vzip2q_s8(w2, w3))};
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        q[2 * i] = vreinterpretq_u8_s16(vzip1q_s16(low[i], high[i]));
        q[2 * i + 1] = vreinterpretq_u8_s16(vzip2q_s16(low[i], high[i]));
    }
    quad_from_fours(q);
}

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    const uint8_t *at = from.panel + from.row;
    size_t steps = columns / TL1_STEP_COLUMNS;
#pragma GCC unroll 2
    for (size_t sixteen = 0; sixteen < 2; sixteen++, at += 4 * TL1_STEP_BYTES) {
        uint8x16_t q[4];
        find_weights(load_steps(at, steps > 4 * sixteen ? steps - 4 * sixteen : 0), q);
        gemm_put(to, from, sixteen, q);
    }
}

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
