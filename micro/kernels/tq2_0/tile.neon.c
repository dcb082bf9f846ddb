/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes less one once for all tokens, then smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/tq2_0/tile_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("tq2_0.mask.neon");
