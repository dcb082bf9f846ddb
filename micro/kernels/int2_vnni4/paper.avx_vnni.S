/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-B and III-C, Fig. 1]: 1 shift, 2 ANDs, 4 byte shuffles, 4 dot products for 128 weights.
 * The look-up tables give u = w + 2, because vpdpbusd takes an unsigned multiplicand (the paper's vpdpbssd takes w itself).
 *
 *   ymm0-7 sums of 2 panels   ymm8 table of bits 0-1   ymm9 table of bits 2-3   ymm10 mask 0x0f   ymm11 activations
 *   ymm12-15 weights
 */
#define INTERLEAVE        2
#define SUMS          4
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    64
#define OPERAND_BYTES 8
#include "micro/kernels/microkernel_frame.h"


    .section .rodata
    .balign 32
.Llut01: .rept 2
    .byte 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3
    .endr
.Llut23: .rept 2
    .byte 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3
    .endr
.Lmask0f: .fill 32, 1, 0x0f

.macro load_constants
    vmovdqa ymm8, [rip + .Llut01]
    vmovdqa ymm9, [rip + .Llut23]
    vmovdqa ymm10, [rip + .Lmask0f]
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro dot sum, weights
    {vex} vpdpbusd ymm\sum, \weights, ymm11
.endm

.macro half base, address, column
    vpbroadcastd ymm11, dword ptr [rdi + \column]
    vmovdqa ymm12, [\address]
    vpsrld ymm13, ymm12, 4
    vpand ymm12, ymm12, ymm10
    vpand ymm13, ymm13, ymm10
    vpshufb ymm14, ymm8, ymm12
    vpshufb ymm15, ymm9, ymm12
    vpshufb ymm12, ymm8, ymm13
    vpshufb ymm13, ymm9, ymm13
    dot %(\base), ymm14
    dot %(\base + 1), ymm15
    dot %(\base + 2), ymm12
    dot %(\base + 3), ymm13
.endm

.macro step base, address
    half \base, \address, 0
    half \base, \address + 32, 4
.endm

    microkernel_functions
