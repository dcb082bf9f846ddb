/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the low nibbles of half a group and its whole bytes, which are a prefix sum, as int4_vnni4.prefix.avx_vnni multiplies them, times 6 tokens: 1
 * vpand, 12 vpdpbusd, a load and 6 broadcasts for 4 columns of 16 rows; the other 16 of a panel in a second pass, which has the other half. With
 * UNPACKS_PANEL (panel) both are left in scratch, and then loaded for each 6 tokens: 2 loads.
 *
 *   ymm0-11 sums   ymm12, ymm13 prefixes   ymm14 activations   ymm15 mask
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define ROW_OF(pass, n) ((pass)*8 + (n)*16)
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

    .section .rodata
    .balign 32
.Lmask0f: .fill 32, 1, 0x0f

.macro load_constants part
    vmovdqa ymm15, [rip + .Lmask0f]
.endm

.macro unpack part, address
    vmovdqa ymm13, [\address + \part * 32]
    vpand ymm12, ymm13, ymm15
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
