/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks (micro/sequences/x86_64/i2_s.mask.avx_vnni.S): each field of a block of 128 stays in its place in the byte, and
 * its sums are shifted right at the end of the row. 8 uops for 4 output vectors.
 *
 *   ymm0-7 sums of 2 rows, of bits 7:6 first   ymm8-11 activations of the four fields   ymm12 weights
 *   ymm13-15 masked weights
 */
#define INTERLEAVE        2
#define SUMS          4
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    32
#define OPERAND_BYTES 128
#include "micro/kernels/microkernel_frame.h"

    .section .rodata
    .balign 32
.Lmasks: .fill 32, 1, 0xc0
    .fill 32, 1, 0x30
    .fill 32, 1, 0x0c
    .fill 32, 1, 0x03

.macro load_constants
.endm

.macro operand address
    vmovdqu ymm8, [\address]
    vmovdqu ymm9, [\address + 32]
    vmovdqu ymm10, [\address + 64]
    vmovdqu ymm11, [\address + 96]
.endm

.macro dot sum, weights, activations
    {vex} vpdpbusd ymm\sum, \weights, \activations
.endm

.macro step base, address
    vmovdqu ymm12, [\address]
    vpand ymm13, ymm12, [rip + .Lmasks]
    dot %(\base), ymm13, ymm8
    vpand ymm14, ymm12, [rip + .Lmasks + 32]
    dot %(\base + 1), ymm14, ymm9
    vpand ymm15, ymm12, [rip + .Lmasks + 64]
    dot %(\base + 2), ymm15, ymm10
    vpand ymm13, ymm12, [rip + .Lmasks + 96]
    dot %(\base + 3), ymm13, ymm11
.endm

    microkernel_functions
