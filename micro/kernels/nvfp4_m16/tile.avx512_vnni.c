/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, blocks as they are stored; values are looked up once for all tokens of a tile.
 */
#include "micro/kernels/mxfp4/codes_512.h"
#include "micro/kernels/nvfp4/lane_scales_512.h"

#define GEMM_BLOCK_BYTES 0
#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL(NULL);
