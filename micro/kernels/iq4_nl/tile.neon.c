/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows zipped in registers, then smull, smlal and sadalp of pairs of columns: gemm_block32_aarch64.h.
 */
#include "micro/kernels/iq4_nl/layout.h"

#define BLOCK_CODES 2
#define CODE_CHUNK  0
#include "micro/kernels/iq4_nl/codes_aarch64.h"

#include "micro/kernels/gemm_block32_aarch64.h"

const struct kernel SELF = GEMM_BLOCK32_KERNEL("iq4_nl.interleaved.neon");
