/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of I2_S with smmla: rows are zipped and their fields unpacked once for all tokens, and stay offset-binary: gemm_unpacked_aarch64.h.
 */
#define BLOCK_ROWS    ROWS
#define BLOCK_BYTES   STEP_BYTES
#define GEMM_COLUMNS  STEP_COLUMNS
#define GEMM_INTEGERS 1
#define GEMM_GROUPS   0
#define GEMM_MINIMA   0
#include "micro/families/blocks/gemm_unpacked_aarch64.h"

/** Fields in the order of their columns: bits 7:6 first, each of 32 columns. */
ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a step */
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
        uint8x16_t codes[4], q[4];
        quad_of_rows(from.row, 16 * half, codes);
#pragma GCC unroll 4
        for (int field = 0; field < 4; field++) {
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                q[i] = quad_crumb(codes[i], 3 - field);
            gemm_put(to, from, 2 * (size_t)field + half, q);
        }
    }
}

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
