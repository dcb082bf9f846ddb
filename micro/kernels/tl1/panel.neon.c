/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weights looked up once for all tokens, then smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/tl1/panel_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("tl1.bytes.neon");
