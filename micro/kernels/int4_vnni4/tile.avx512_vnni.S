/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the low nibbles of a group and its whole bytes, which are a prefix sum, times 12 tokens: 1 vpandd, 24 vpdpbusd, a load and 12
 * broadcasts for 4 columns of 32 rows.
 *
 *   zmm0-23 sums   zmm24, zmm25 prefixes   zmm28 activations   zmm29 mask
 */
#include "micro/kernels/int4_vnni4/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      1
#define REGISTERS   2
#define TOKENS      12
#define VECTOR_IS_ZMM
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx512_vnni.inc"
#include "micro/kernels/int4_vnni4/prefixes.avx512_vnni.inc"

    tile_functions

#endif
