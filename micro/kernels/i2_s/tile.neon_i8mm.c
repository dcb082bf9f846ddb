/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes unpacked once for all tokens, then smmla: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/i2_s/tile_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("i2_s.mask.neon_dotprod");
