/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: the lowest of four bits of a group, the lower two, three, and all four, which are prefix sums, times 6 tokens: 4 vpandd, 24 vpdpbusd, 2 loads and
 * 6 broadcasts for 4 columns of 64 rows; the other 64 of a panel in a second pass, which has the upper four bits. With UNPACKS_PANEL (panel) the
 * prefixes are left in scratch, and then loaded for each 6 tokens: 4 loads.
 *
 *   zmm0-23 sums   zmm24-27 prefixes   zmm28 activations   zmm29-31 masks
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   4
#define TOKENS      6
#define VECTOR_IS_ZMM
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

    .section .rodata
    .balign 4
.Lfour: .long 0x0f0f0f0f, 0xf0f0f0f0

.macro load_constants part
    mov edi, 0x01010101 << (\part * 4)
    vpbroadcastd zmm29, edi
    mov edi, 0x03030303 << (\part * 4)
    vpbroadcastd zmm30, edi
    mov edi, 0x07070707 << (\part * 4)
    vpbroadcastd zmm31, edi
.endm

.macro unpack part, address
    vmovdqa64 zmm27, [\address]
    vpandd zmm24, zmm27, zmm29
    vpandd zmm25, zmm27, zmm30
    vpandd zmm26, zmm27, zmm31
    vpandd zmm27, zmm27, dword ptr [rip + .Lfour + \part * 4] {1to16}
.endm

    tile_functions

#else

static inline void rows_of(const tile_vector *raw, int pass, tile_vector *sums)
{
    tile_prefixes(raw, pass * REGISTERS, 1, sums);
    for (int n = 0; n < REGISTERS; n++)
        sums[n] *= 2;
}

const struct kernel SELF = TILE_KERNEL;

#endif
