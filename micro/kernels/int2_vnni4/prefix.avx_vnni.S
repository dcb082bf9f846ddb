/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes: three ANDs and four vpdpbusd for 128 weights.
 *
 * The four 2-bit fields u0..u3 of a byte meet the same activation, so the byte can be multiplied before it is taken
 * apart. With S_j = sum u_j a over the columns so far,
 *
 *     masked by 0x03: S0     by 0x0f: S0 + 4 S1     by 0x3f: S0 + 4 S1 + 16 S2     unmasked: ... + 64 S3
 *
 * and the differences of neighbours, shifted right, are the four rows. Nothing is shifted or looked up in the loop, and
 * the top plane costs no AND. Sums are modulo 2^32; the differences are exact while |64 S3| < 2^31.
 * Ports of a Golden-Cove-class core at 256 bits: vpand p015, vpdpbusd p01: 7 uops on 3 ports for 4 output vectors,
 * gamma >= 0.583. The masks are memory operands, since sixteen registers do not hold them too.
 *
 *   ymm0-11 sums of 3 panels   ymm12 activations of columns 0-3, then 4-7   ymm13 weights   ymm14, ymm15 masked weights
 */
#define INTERLEAVE        3
#define SUMS          4
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    64
#define OPERAND_BYTES 8
#include "micro/kernels/microkernel_frame.h"


    .section .rodata
    .balign 32
.Lmask03: .fill 32, 1, 0x03
.Lmask0f: .fill 32, 1, 0x0f
.Lmask3f: .fill 32, 1, 0x3f

.macro load_constants
.endm

/* both groups of columns are needed in turn; the step broadcasts them itself */
.macro operand address
    lea rdi, [\address]
.endm

.macro dot sum, weights
    {vex} vpdpbusd ymm\sum, \weights, ymm12
.endm

.macro half base, address, column
    vpbroadcastd ymm12, dword ptr [rdi + \column]
    vmovdqa ymm13, [\address]
    vpand ymm14, ymm13, [rip + .Lmask03]
    vpand ymm15, ymm13, [rip + .Lmask0f]
    dot %(\base + 3), ymm13
    vpand ymm13, ymm13, [rip + .Lmask3f]
    dot %(\base), ymm14
    dot %(\base + 1), ymm15
    dot %(\base + 2), ymm13
.endm

.macro step base, address
    half \base, \address, 0
    half \base, \address + 32, 4
.endm

    microkernel_functions
