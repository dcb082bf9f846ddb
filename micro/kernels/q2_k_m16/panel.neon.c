/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes scaled once for all tokens, then smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/q2_k_m16/panel_aarch64.h"

#include "micro/kernels/q2_k/panels_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("q2_k.interleaved.neon");
