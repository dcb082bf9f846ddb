/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: the nibbles of half a group times 6 tokens, 12 vpmaddubsw and 12 vpaddw for 4 columns of 16 rows; the other 16 of a panel in
 * a second pass, which has the other half. 8 groups of products, 15 * 2 * 127 each, stay within a word. With UNPACKS_PANEL (panel) the nibbles are left
 * in scratch, and then loaded for each 6 tokens.
 *
 *   ymm0-11 sums   ymm12, ymm13 fields   ymm14 activations   ymm15 products
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define WORD_GROUPS 8
#define ROW_OF(pass, n) ((pass)*8 + (n)*16)
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

    .section .rodata
    .balign 32
.Lmask0f: .fill 32, 1, 0x0f

.macro load_constants part
.endm

.macro unpack part, address
    vmovdqa ymm13, [\address + \part * 32]
    vpand ymm12, ymm13, [rip + .Lmask0f]
    vpsrlw ymm13, ymm13, 4
    vpand ymm13, ymm13, [rip + .Lmask0f]
.endm

    tile_functions

#else

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    (void)pass;
    for (int n = 0; n < REGISTERS; n++)
        sums[n] = raw[n];
}

const struct kernel SELF = TILE_KERNEL;

#endif
