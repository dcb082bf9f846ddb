/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of mixed24: unpacked once for all tokens, then sdot, with neon_i8mm and sve256 smmla: gemm_unpacked_aarch64.h.
 */
#include "micro/families/mixed24/gemm_mixed24_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
