/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows as they are interleaved, by four bytes, then smull, smlal and sadalp of pairs of columns: gemm_block32_aarch64.h.
 */
#include "micro/kernels/q8_0_m16/layout.h"

#define CODE_CHUNK  4
#define CODE_BYTES  32
#define CODE_BITS   0
#define CODE_TURNED 0x80
#include "micro/kernels/gemm_block32_aarch64.h"

const struct kernel SELF = GEMM_BLOCK32_KERNEL("q8_0.rows.neon");
