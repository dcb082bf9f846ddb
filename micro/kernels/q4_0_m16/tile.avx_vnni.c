/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored.
 */
#include "micro/kernels/products_avx_vnni.h"
#include "micro/kernels/q4_0/codes_256.h"

#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q4_0_m16.offset.avx_vnni");
