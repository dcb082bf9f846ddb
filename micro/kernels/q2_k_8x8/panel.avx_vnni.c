/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 rows by four tokens, of panels whose codes are scaled once for all tokens.
 */
#include "micro/kernels/q2_k_8x8/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_STORED_ROWS BLOCK_ROWS
#include "micro/kernels/gemm_k256_avx_vnni.h"

#include "micro/kernels/q2_k_8x8/unpack.h"

const struct kernel SELF = Q2_K_PANEL_KERNEL("q2_k_m16.lanes.avx_vnni");
