/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the two prefixes of a group are left in scratch, and then loaded for each 12 tokens: 24 vpdpbusd, 2 loads and 12 broadcasts for 4
 * columns of 32 rows.
 *
 *   zmm0-23 sums   zmm24, zmm25 prefixes   zmm28 activations   zmm29 mask
 */
#include "micro/kernels/int4_vnni4/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      1
#define REGISTERS   2
#define TOKENS      12
#define VECTOR_IS_ZMM
#define UNPACKS_PANEL
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx512_vnni.inc"
#include "micro/kernels/int4_vnni4/prefixes.avx512_vnni.inc"

    tile_functions

#endif
