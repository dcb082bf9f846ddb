/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the four prefixes of a group times 6 tokens: 3 vpandd, 24 vpdpbusd, a load and 6 broadcasts for 4 columns of 64 rows. The
 * ANDs are 3 of 27 uops on p05 of a Golden Cove; a Zen 5 has two more pipes for them.
 *
 *   zmm0-23 sums   zmm24-27 prefixes   zmm28 activations   zmm29-31 masks
 */
#include "micro/kernels/int2_planes/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      1
#define REGISTERS   4
#define TOKENS      6
#define VECTOR_IS_ZMM
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx512_vnni.inc"
#include "micro/kernels/int2_planes/prefixes.avx512_vnni.inc"

    tile_functions

#endif
