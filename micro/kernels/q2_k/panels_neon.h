/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of interleaved rows of Q2_K on aarch64, four rows to a register, whose lanes are rows: the products of a group's 16 columns are
 * added up before one multiply-accumulate applies four scales, and minima are multiplied with the sums of the groups
 * [arm-kernels-codebooks, 4.1.1, 6.4]. The including .c includes its layout.h and defines, before it,
 *
 *   PANEL_D, PANEL_DMIN      bytes of a block at which halves of the rows begin
 *   ROWS_INLINE int32x4_t group_products(const uint8_t *block, size_t vector, size_t half, int in, int8x16_t activations)
 *                            sums of products of the codes of group 8 half + in of rows 4 vector … 4 vector + 3
 *   ROWS_INLINE uint32x4_t group_bytes(const uint8_t *block, size_t vector, size_t half, int in)
 *                            scale and minimum of these rows, a word a row, in its lower byte; above it may stand anything
 */
#include "micro/kernels/registers_aarch64.h"

#define BLOCK_VECTORS (BLOCK_ROWS / 4)
#include "micro/kernels/blocks_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0
#define BLOCK_STORE(out, panel, sum)                                                                                   \
    do {                                                                                                               \
        for (int vector = 0; vector < BLOCK_VECTORS; vector++)                                                         \
            vst1q_f32((out) + BLOCK_ROWS * (panel) + 4 * vector, (sum).of[vector]);                                    \
    } while (0)

/** Integer sums of a block. */
struct panel_sums {
    int32x4_t codes, minima;
};

/** Group 8 half + in, `in` a constant where it is inlined; sums: of its half's groups. */
ROWS_INLINE struct panel_sums add_group(struct panel_sums sum, const uint8_t *block, size_t vector, size_t half, int in,
                                        const struct q8_256 *a, const int32x4_t *sums)
{
    uint32x4_t bytes = group_bytes(block, vector, half, in), four_bits = vdupq_n_u32(15);
    int32x4_t scales = vreinterpretq_s32_u32(vandq_u32(bytes, four_bits));
    int32x4_t minima = vreinterpretq_s32_u32(vandq_u32(vshrq_n_u32(bytes, 4), four_bits));
    int32x4_t products = group_products(block, vector, half, in, vld1q_s8(a->q + 128 * half + 16 * in));
    sum.codes = vmlaq_s32(sum.codes, products, scales);
    sum.minima = in % 4 == 0   ? vmlaq_laneq_s32(sum.minima, minima, sums[in / 4], 0)
                 : in % 4 == 1 ? vmlaq_laneq_s32(sum.minima, minima, sums[in / 4], 1)
                 : in % 4 == 2 ? vmlaq_laneq_s32(sum.minima, minima, sums[in / 4], 2)
                               : vmlaq_laneq_s32(sum.minima, minima, sums[in / 4], 3);
    return sum;
}

/* Loops but for the groups of a half: unrolled, four panels would be more code than a core keeps decoded. Their counts are hidden. */
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    size_t vectors = BLOCK_VECTORS, halves = 2;
    __asm__("" : "+r"(vectors), "+r"(halves));
    for (size_t vector = 0; vector < vectors; vector++) {
        struct panel_sums whole = {vdupq_n_s32(0), vdupq_n_s32(0)};
        for (size_t half = 0; half < halves; half++) {
            int16x8_t words = vld1q_s16(a->sums + 8 * half);
            int32x4_t sums[2] = {vmovl_s16(vget_low_s16(words)), vmovl_high_s16(words)};
#pragma GCC unroll 8
            for (int in = 0; in < 8; in++)
                whole = add_group(whole, weights, vector, half, in, a, sums);
        }
        float32x4_t d = vmulq_n_f32(tile_halves(weights + PANEL_D + 8 * vector), a->scale);
        float32x4_t dmin = vmulq_n_f32(tile_halves(weights + PANEL_DMIN + 8 * vector), a->scale);
        sum.of[vector] = vfmaq_f32(sum.of[vector], vcvtq_f32_s32(whole.codes), d);
        sum.of[vector] = vfmsq_f32(sum.of[vector], vcvtq_f32_s32(whole.minima), dmin);
    }
    return sum;
}

/** Field n of bytes of codes. */
ROWS_INLINE uint8x16_t field_of(uint8x16_t codes, int n)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    return n == 0   ? vandq_u8(codes, mask)
           : n == 1 ? vandq_u8(vshrq_n_u8(codes, 2), mask)
           : n == 2 ? vandq_u8(vshrq_n_u8(codes, 4), mask)
                    : vshrq_n_u8(codes, 6);
}

#include "micro/kernels/block_rows.h"
#include "micro/kernels/q2_k/row.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "arm-kernels-codebooks",
    .gamma = "q2_k.interleaved.neon_dotprod",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = q2_k_row,
};
