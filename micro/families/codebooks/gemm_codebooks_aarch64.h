/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of group-wise codebooks on aarch64: values are looked up as panels are unpacked; no byte holds a value times its scale, so that the
 * sums of each 16 columns are scaled, as integers.
 */
#define GEMM_COLUMNS  256
#define GEMM_INTEGERS 0
#define GEMM_GROUPS   1
#define GEMM_MINIMA   0
#include "micro/families/blocks/gemm_unpacked_aarch64.h"

#include "micro/families/codebooks/codebook_values_neon.h"

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a block */
    const value_table table = load_table();
    const uint8_t *at = from.panel + 4 * from.row;
#pragma GCC unroll 1
    for (size_t m = 0; m < 4; m++) {
        uint8x16_t group_bytes = vld1q_u8(at + GROUP_BYTES + LINE * m);
#pragma GCC unroll 4
        for (int byte = 0; byte < 4; byte++) {
            size_t group = 4 * m + (size_t)byte;
            uint8x16_t q[4];
            find_values(at, group_bytes, m, byte, table, q);
            quad_from_fours(q);
            gemm_put(to, from, group, q);
            vst1q_s32(to->scale[group] + 4 * from.number, scale_of(group_bytes, byte));
        }
    }
    vst1q_f32(to->d + 4 * from.number, quad_halves(from.panel + 2 * from.row));
}
