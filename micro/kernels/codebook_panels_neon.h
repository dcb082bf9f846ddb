/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of group-wise codebooks on aarch64, four of a panel's sixteen rows to a register, whose lanes are rows [arm-kernels-codebooks,
 * 5.3]: values as codebook_values_neon.h finds them; 16 products are added up before the group's scale. One text for neon and neon_dotprod.
 *
 * The including .c includes the format's layout.h before it.
 */
#include "micro/kernels/codebook_values_neon.h"
#include "micro/kernels/registers_aarch64.h"

#define BLOCK_VECTORS 4
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

/** Group 4 m + byte of four rows; at: of their part of the line, from that of group 0. */
ROWS_INLINE int32x4_t add_group(int32x4_t sum, const uint8_t *at, uint8x16_t group_bytes, size_t m, int byte,
                                int8x16_t activations, value_table table)
{
    uint8x16_t found[4];
    find_values(at, group_bytes, m, byte, table, found);
    return vmlaq_s32(sum, tile_dot_fours(vdupq_n_s32(0), found, activations), scale_of(group_bytes, byte));
}

/* Loops but for the groups of a word: unrolled, four panels would be more code than a core keeps decoded. Their counts are hidden. */
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const value_table table = load_table();
    size_t vectors = BLOCK_VECTORS, words = 4;
    __asm__("" : "+r"(vectors), "+r"(words));
    for (size_t vector = 0; vector < vectors; vector++) {
        const uint8_t *at = weights + 16 * vector;
        int32x4_t whole = vdupq_n_s32(0);
        for (size_t m = 0; m < words; m++) {
            uint8x16_t group_bytes = vld1q_u8(at + GROUP_BYTES + LINE * m);
#pragma GCC unroll 4
            for (int byte = 0; byte < 4; byte++)
                whole = add_group(whole, at, group_bytes, m, byte, vld1q_s8(a->q + 64 * m + 16 * (size_t)byte), table);
        }
        float32x4_t scales = vmulq_n_f32(tile_halves(weights + 8 * vector), a->scale);
        sum.of[vector] = vfmaq_f32(sum.of[vector], vcvtq_f32_s32(whole), scales);
    }
    return sum;
}

#include "micro/kernels/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
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
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};
