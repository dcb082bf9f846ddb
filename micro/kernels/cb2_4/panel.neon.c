/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values looked up once for all tokens, then smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/cb2_4/layout.h"

#include "micro/kernels/gemm_codebooks_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("cb2_4.codebook.neon");
