/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: two fields of a byte, the lower one and both, which is a prefix sum, times 6 tokens: 2 vpand, 12 vpdpbusd, 2 loads and 6 broadcasts for 4 columns of
 * 16 rows. int2_vnni4 has two passes for the 32 rows of a panel, int1_planes_m8 four for 64; each has the next two fields. With UNPACKS_PANEL (panel) the
 * prefixes are left in scratch, and then loaded for each 6 tokens.
 *
 *   ymm0-11 sums   ymm12, ymm13 prefixes   ymm14 activations   ymm15 mask
 */
#define GROUP_BYTES 32
#define REGISTERS   2
#define TOKENS      6
#define FIELD_BITS  (4 / PASSES)
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

    .section .rodata
    .balign 32
.Lmasks:
    .set pass, 0
    .rept PASSES
    .fill 32, 1, ((1 << FIELD_BITS) - 1) << (2 * FIELD_BITS * pass)
    .fill 32, 1, ((1 << (2 * FIELD_BITS)) - 1) << (2 * FIELD_BITS * pass)
    .set pass, pass + 1
    .endr

.macro load_constants part
    vmovdqa ymm15, [rip + .Lmasks + \part * 64]
.endm

.macro unpack part, address
    vmovdqa ymm13, [\address]
    vpand ymm12, ymm13, ymm15
    vpand ymm13, ymm13, [rip + .Lmasks + \part * 64 + 32]
.endm

    tile_functions

#else

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    tile_prefixes(raw, pass * REGISTERS * FIELD_BITS, FIELD_BITS, sums);
    for (int n = 0; FIELD_BITS == 1 && n < REGISTERS; n++) /* a bit is u = (w + 1) / 2 */
        sums[n] *= 2;
}

const struct kernel SELF = TILE_KERNEL;

#endif
