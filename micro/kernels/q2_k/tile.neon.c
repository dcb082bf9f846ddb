/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows zipped as they are unpacked, then smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/q2_k/tile_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("q2_k.mask.neon");
