/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the low nibbles of half a group and its whole bytes, which are a prefix sum, times 6 tokens: 1 vpand, 12 vpdpbusd, a load and 6
 * broadcasts for 4 columns of 16 rows; the other 16 of a panel in a second pass.
 *
 *   ymm0-11 sums   ymm12, ymm13 prefixes   ymm14 activations   ymm15 mask
 */
#include "micro/kernels/int4_vnni4/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define ROW_OF(pass, n) ((pass)*8 + (n)*16)
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx_vnni.inc"
#include "micro/kernels/int4_vnni4/prefixes.avx_vnni.inc"

    tile_functions

#endif
