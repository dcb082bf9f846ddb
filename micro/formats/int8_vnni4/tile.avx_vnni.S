/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: two registers of weights, as they lie in memory, times 6 tokens: 12 vpdpbusd, 2 loads and 6 broadcasts for 4 columns of 16
 * rows; the other 16 of a panel in a second pass.
 *
 *   ymm0-11 sums   ymm12, ymm13 weights   ymm14 activations
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/planes/tile.inc"

.macro load_constants part
.endm

.macro unpack part, address
    vmovdqa ymm12, [\address + \part * 64]
    vmovdqa ymm13, [\address + \part * 64 + 32]
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
