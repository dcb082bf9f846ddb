/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are interleaved in scratch; values are looked up once for all tokens of a tile.
 */
#include "micro/kernels/mxfp4/codes_512.h"
#include "micro/kernels/nvfp4/lane_scales_512.h"
#include "micro/kernels/nvfp4/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL(NULL);
