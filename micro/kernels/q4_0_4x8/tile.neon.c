/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows as they are interleaved, by eight bytes, then smull, smlal and sadalp of pairs of columns: gemm_block32_aarch64.h.
 */
#include "micro/kernels/q4_0_4x8/layout.h"

#define CODE_CHUNK  8
#define CODE_TURNED 0
#include "micro/kernels/q4_0/codes_aarch64.h"

#include "micro/kernels/gemm_block32_aarch64.h"

const struct kernel SELF = GEMM_BLOCK32_KERNEL("q4_0.signed.neon");
