/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unpacked once for all tokens, then sdot: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/gemm_mixed24_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("mixed24.lanes.neon_dotprod");
