/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes are unpacked once for all tokens.
 */
#include "micro/kernels/gemm_mixed24_avx_vnni.h"

const struct kernel SELF = GEMM_MIXED24_KERNEL("mixed24.lanes.avx_vnni", 32);
