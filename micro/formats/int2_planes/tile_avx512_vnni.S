/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the four prefixes of a group, as int2_planes.prefix.avx512_vnni multiplies them (the byte masked by 0x03, 0x0f, 0x3f, and whole), times 6
 * tokens: 3 vpandd, 24 vpdpbusd, a load and 6 broadcasts for 4 columns of 64 rows. The ANDs are 3 of 27 uops on p05 of a Golden Cove; a Zen 5 has two more
 * pipes for them. With UNPACKS_PANEL (panel) the prefixes are left in scratch, and then loaded for each 6 tokens: 4 loads.
 *
 *   zmm0-23 sums   zmm24-27 prefixes   zmm28 activations   zmm29-31 masks
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      1
#define REGISTERS   4
#define TOKENS      6
#define VECTOR_IS_ZMM
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

.macro load_constants part
    mov edi, 0x03030303
    vpbroadcastd zmm29, edi
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm30, edi
    mov edi, 0x3f3f3f3f
    vpbroadcastd zmm31, edi
.endm

.macro unpack part, address
    vmovdqa64 zmm27, [\address]
    vpandd zmm24, zmm27, zmm29
    vpandd zmm25, zmm27, zmm30
    vpandd zmm26, zmm27, zmm31
.endm

    tile_functions

#else

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    (void)pass;
    tile_prefixes(raw, 0, 2, sums);
}

const struct kernel SELF = TILE_KERNEL;

#endif
