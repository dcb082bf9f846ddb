/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: four prefixes of a group times 6 tokens: 4 vpandd, 24 vpdpbusd, 2 loads and 6 broadcasts for 4 columns of 64 rows; the other 64
 * of a panel in a second pass.
 *
 *   zmm0-23 sums   zmm24-27 prefixes   zmm28 activations   zmm29-31 masks
 */
#include "micro/kernels/int1_planes/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   4
#define TOKENS      6
#define VECTOR_IS_ZMM
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx512_vnni.inc"
#include "micro/kernels/int1_planes/prefixes.avx512_vnni.inc"

    tile_functions

#endif
