/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: two registers of weights times 5 tokens, vpsignb, vpmaddubsw, vpmaddwd and vpaddd each for 4 columns of 8 rows, since the
 * pairs of u a would leave a word: the magnitude of w = u - 128 multiplies a with the sign of w, as in int8_vnni4.dot.avx2. The other
 * 16 rows of a panel in a second pass.
 *
 *   ymm0-9 sums   ymm10, ymm11 signed weights   ymm12, ymm13 their magnitudes   ymm14 activations   ymm15 products
 */
#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   2
#define TOKENS      5
#define WEIGHTS_ARE_SIGNED
#include "micro/frames/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lsign: .fill 32, 1, 0x80

.macro load_constants part
.endm

.macro unpack part, address
    vmovdqa ymm13, [rip + .Lsign]
    vpxor ymm10, ymm13, [\address + \part * 64]
    vpxor ymm11, ymm13, [\address + \part * 64 + 32]
    vpabsb ymm12, ymm10
    vpabsb ymm13, ymm11
.endm

.macro signed number, weights, magnitude
    vpsignb ymm15, TILE_ACTIVATION, ymm\weights
    vpmaddubsw ymm15, ymm\magnitude, ymm15
    vpmaddwd ymm15, ymm15, [rip + .Lones]
    vpaddd ymm\number, ymm\number, ymm15
.endm

.macro multiply number, weights
    signed \number, %(\weights - 2), \weights
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
