/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM: two registers of weights, as they lie in memory, times 12 tokens: 24 vpdpbusd, 2 loads and 12 broadcasts for 4 columns of
 * 32 rows.
 *
 *   zmm0-23 sums   zmm24, zmm25 weights   zmm28 activations
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
.endm

.macro unpack part, address
    vmovdqa64 zmm24, [\address]
    vmovdqa64 zmm25, [\address + 64]
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
