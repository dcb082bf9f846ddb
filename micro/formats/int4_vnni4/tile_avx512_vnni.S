/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the low nibbles of a group and its whole bytes, which are a prefix sum, as int4_vnni4.prefix.avx512_vnni multiplies them, times 12 tokens: 1
 * vpandd, 24 vpdpbusd, a load and 12 broadcasts for 4 columns of 32 rows. With UNPACKS_PANEL (panel) both are left in scratch, and then loaded for each 12
 * tokens: 2 loads.
 *
 *   zmm0-23 sums   zmm24, zmm25 prefixes   zmm28 activations   zmm29 mask
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      1
#define REGISTERS   2
#define TOKENS      12
#define VECTOR_IS_ZMM
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

.macro load_constants part
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm29, edi
.endm

.macro unpack part, address
    vmovdqa64 zmm25, [\address]
    vpandd zmm24, zmm25, zmm29
.endm

    tile_functions

#else

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    (void)pass;
    tile_prefixes(raw, 0, 4, sums);
}

const struct kernel SELF = TILE_KERNEL;

#endif
