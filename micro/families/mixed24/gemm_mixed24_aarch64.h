/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of mixed24 on aarch64: codes less their zeros are signed bytes; their scales have 7 bits beside scale2, which differs from group to
 * group, so that the sums of each 16 columns are scaled, as floats.
 */
#include "micro/families/mixed24/mixed24_operand_neon.h"

#define BLOCK_ROWS       MIXED24_ROWS
#define BLOCK_BYTES      MIXED24_STEP_BYTES
#define GEMM_COLUMNS     MIXED24_COLUMNS
#define GEMM_INTEGERS    0
#define GEMM_GROUPS      2
#define GEMM_MINIMA      0
#define GEMM_TOKEN_BLOCK struct mixed24_operand
#define GEMM_TOKEN_MAKE  mixed24_make
#define GEMM_NUMBERS                                                                                                   \
    .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 16, .error_bound = Q8_ERROR_BOUND,             \
    .prepared_bytes_per_step = sizeof(struct mixed24_operand), .prepare = prepare, .row = block_row
#include "micro/families/blocks/gemm_unpacked_aarch64.h"
#include "micro/isa/quads_aarch64.h"

extern const struct format SELF_FORMAT;

/** A byte less of each of 16, a row's in its lane. */
ROWS_INLINE void put_less(struct gemm_block *to, struct gemm_quad from, size_t group, uint8x16_t *q, uint32x4_t zero)
{
    const uint8x16_t zeros = vreinterpretq_u8_u32(vmulq_n_u32(zero, 0x01010101));
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++)
        q[p] = vsubq_u8(q[p], zeros);
    quad_from_fours(q);
    gemm_put(to, from, group, q);
}

ROWS_INLINE void put_scales(struct gemm_block *to, struct gemm_quad from, size_t group, int32x4_t scale, float scale2)
{
    vst1q_f32(to->scale[group] + 4 * from.number, vmulq_n_f32(vcvtq_f32_s32(scale), scale2));
}

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a step */
    static const int shift[3] = {MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1, MIXED24_SCALE_SHIFT_2},
                     bits[3] = {4, 3, 3};
    const uint8_t *at = from.panel + 4 * from.row;
    const int8_t *zero2 = (const int8_t *)from.panel + MIXED24_ZERO2;
    float scale2[4];
    vst1q_f32(scale2, quad_halves(from.panel + MIXED24_SCALE2));
    uint32x4_t words = vmovl_u16(vreinterpret_u16_u8(vld1_u8(from.panel + MIXED24_WORDS + 2 * from.row)));
    uint8x16_t q[4];
#pragma GCC unroll 3
    for (int group = 0; group < 3; group++) {
        uint8x16_t codes = vld1q_u8(at + MIXED24_CODES2 + 64 * group);
        uint32x4_t zero = vandq_u32(vshlq_u32(words, vdupq_n_s32(-2 * group)), vdupq_n_u32(3));
        uint32x4_t scale =
            vandq_u32(vshlq_u32(words, vdupq_n_s32(-shift[group])), vdupq_n_u32((1u << bits[group]) - 1));
        for (int p = 0; p < 4; p++)
            q[p] = quad_crumb(codes, p);
        put_less(to, from, (size_t)group, q, zero);
        put_scales(to, from, (size_t)group, vsubq_s32(vreinterpretq_s32_u32(scale), vdupq_n_s32(zero2[group])),
                   scale2[group]);
    }
    for (int j = 0; j < 2; j++) {
        uint8x16_t codes = vld1q_u8(at + MIXED24_CODES4 + 64 * j);
        q[2 * j] = vandq_u8(codes, vdupq_n_u8(15));
        q[2 * j + 1] = vshrq_n_u8(codes, 4);
    }
    put_less(to, from, 3, q, vdupq_n_u32((uint32_t)zero2[3]));
    put_scales(to, from, 3, vdupq_n_s32(1), scale2[3]);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    mixed24_make(activations, k, prepared);
}

KERNEL_ROW(block_row, mixed24_activation(prepared, column))
