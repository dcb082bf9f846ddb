/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: two fields of a group times 6 tokens, 12 vpmaddubsw and 12 vpaddw for 4 columns of 16 rows; the other 16 of a panel in
 * a second pass, which has the upper two fields. 43 groups of products, 3 * 2 * 127 each, stay within a word. With UNPACKS_PANEL (panel) the fields are
 * left in scratch, and then loaded for each 6 tokens.
 *
 *   ymm0-11 sums   ymm12, ymm13 fields   ymm14 activations   ymm15 products
 */
#define GROUP_BYTES 32
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define WORD_GROUPS 43
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

    .section .rodata
    .balign 32
.Lmask03: .fill 32, 1, 0x03

.macro load_constants part
.endm

.macro unpack part, address
    vmovdqa ymm13, [\address]
    .if \part
    vpsrlw ymm13, ymm13, 4
    .endif
    vpand ymm12, ymm13, [rip + .Lmask03]
    vpsrlw ymm13, ymm13, 2
    vpand ymm13, ymm13, [rip + .Lmask03]
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
