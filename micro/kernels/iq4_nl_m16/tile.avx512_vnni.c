/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, blocks as they are stored; codes are looked up once for all tokens of a tile.
 */
#include "micro/kernels/iq4_nl/codes_512.h"

#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("iq4_nl_m16.offset.avx512_vnni");
