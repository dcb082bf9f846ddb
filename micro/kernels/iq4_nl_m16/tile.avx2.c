/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored; codes are looked up once for all tokens of a tile.
 */
#include "micro/kernels/iq4_nl/codes_signed_256.h"
#include "micro/kernels/products_avx2.h"

#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("iq4_nl_m16.sign.avx2");
