/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: four prefixes of a group are left in scratch, and then loaded for each 6 tokens: 24 vpdpbusd, 4 loads and 6 broadcasts for 4
 * columns of 64 rows; two passes for the 128 rows of a panel.
 *
 *   zmm0-23 sums   zmm24-27 prefixes   zmm28 activations   zmm29-31 masks
 */
#include "micro/kernels/int1_planes/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   4
#define TOKENS      6
#define VECTOR_IS_ZMM
#define UNPACKS_PANEL
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx512_vnni.inc"
#include "micro/kernels/int1_planes/prefixes.avx512_vnni.inc"

    tile_functions

#endif
