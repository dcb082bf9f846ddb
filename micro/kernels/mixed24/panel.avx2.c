/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes are unpacked once for all tokens.
 */
#include "micro/kernels/gemm_mixed24_avx2.h"

const struct kernel SELF = GEMM_MIXED24_KERNEL("mixed24.lanes.avx2", 16);
