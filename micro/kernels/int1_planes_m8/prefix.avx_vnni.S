/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes: seven ANDs and eight vpdpbusd for 256 weights.
 *
 * All eight bits of a byte meet the same activation. Masked by 0x01, 0x03, 0x07, ..., unmasked, the byte times the
 * activation sums S0, S0 + 2 S1, S0 + 2 S1 + 4 S2, ...; the differences of neighbours, shifted right, are the eight rows.
 * Ports of a Golden-Cove-class core at 256 bits: vpand p015, vpdpbusd p01: 15 uops on 3 ports for 8 output vectors,
 * gamma >= 0.625. The masks are memory operands, since sixteen registers do not hold them too.
 *
 *   ymm0-7 sums of 1 panel   ymm8 activations   ymm9 weights   ymm10-12 masked weights
 */
#define INTERLEAVE        1
#define SUMS          8
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    64
#define OPERAND_BYTES 8
#include "micro/kernels/microkernel_frame.h"


    .section .rodata
    .balign 32
.Lmask0: .fill 32, 1, 0x01
.Lmask1: .fill 32, 1, 0x03
.Lmask2: .fill 32, 1, 0x07
.Lmask3: .fill 32, 1, 0x0f
.Lmask4: .fill 32, 1, 0x1f
.Lmask5: .fill 32, 1, 0x3f
.Lmask6: .fill 32, 1, 0x7f

.macro load_constants
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro dot sum, weights
    {vex} vpdpbusd ymm\sum, \weights, ymm8
.endm

.macro half base, address, column
    vpbroadcastd ymm8, dword ptr [rdi + \column]
    vmovdqa ymm9, [\address]
    dot %(\base + 7), ymm9
    vpand ymm10, ymm9, [rip + .Lmask0]
    dot %(\base + 0), ymm10
    vpand ymm11, ymm9, [rip + .Lmask1]
    dot %(\base + 1), ymm11
    vpand ymm12, ymm9, [rip + .Lmask2]
    dot %(\base + 2), ymm12
    vpand ymm10, ymm9, [rip + .Lmask3]
    dot %(\base + 3), ymm10
    vpand ymm11, ymm9, [rip + .Lmask4]
    dot %(\base + 4), ymm11
    vpand ymm12, ymm9, [rip + .Lmask5]
    dot %(\base + 5), ymm12
    vpand ymm10, ymm9, [rip + .Lmask6]
    dot %(\base + 6), ymm10
.endm

.macro step base, address
    half \base, \address, 0
    half \base, \address + 32, 4
.endm

    microkernel_functions
