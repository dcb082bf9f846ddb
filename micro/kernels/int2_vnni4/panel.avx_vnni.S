/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: two prefixes of a group are left in scratch, and then loaded for each 6 tokens: 12 vpdpbusd, 2 loads and 6 broadcasts for 4 columns of
 * 16 rows; two passes for the 32 rows of a panel.
 *
 *   ymm0-11 sums   ymm12, ymm13 prefixes   ymm14 activations   ymm15 mask
 */
#include "micro/kernels/int2_vnni4/layout.h"

#define GROUP_BYTES 32
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define UNPACKS_PANEL
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx_vnni.inc"
#include "micro/kernels/int2_vnni4/prefixes.avx_vnni.inc"

    tile_functions

#endif
