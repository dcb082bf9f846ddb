/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: two bits of a group, the upper one in its place, times 6 tokens, 12 vpmaddubsw and 12 vpaddw for 4 columns of 16 rows; four passes
 * for the 64 rows of a panel. 64 groups of products, 2 * 2 * 127 each, stay within a word. With UNPACKS_PANEL (panel) the bits are left in scratch, and
 * then loaded for each 6 tokens.
 *
 *   ymm0-11 sums   ymm12, ymm13 fields   ymm14 activations   ymm15 products
 */
#define GROUP_BYTES 32
#define PASSES      4
#define REGISTERS   2
#define TOKENS      6
#define WORD_GROUPS 64
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

    .section .rodata
    .balign 32
.Lmask01: .fill 32, 1, 0x01
.Lmask02: .fill 32, 1, 0x02

.macro load_constants part
.endm

.macro unpack part, address
    vmovdqa ymm13, [\address]
    .if \part
    vpsrlw ymm13, ymm13, \part * 2
    .endif
    vpand ymm12, ymm13, [rip + .Lmask01]
    vpand ymm13, ymm13, [rip + .Lmask02]
.endm

    tile_functions

#else

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    (void)pass; /* y = 2 sum u a - sum a, and the upper bit counts twice already */
    sums[0] = raw[0] * 2;
    sums[1] = raw[1];
}

const struct kernel SELF = TILE_KERNEL;

#endif
