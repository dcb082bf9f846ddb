/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens: blocks of 16 rows are interleaved in scratch; values are looked up once for all tokens of a tile.
 */
#include "micro/kernels/mxfp4/codes_256.h"
#include "micro/kernels/nvfp4/lane_scales_256.h"
#include "micro/kernels/nvfp4/layout.h"
#include "micro/kernels/products_avx_vnni.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL(NULL);
