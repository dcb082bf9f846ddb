/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-D, Fig. 2] without VNNI: the dot product is vpmaddubsw, vpmaddwd with ones and vpaddd.
 *
 *   ymm0-7 sums of 2 panels   ymm8 shuffle   ymm9 bit of each byte   ymm10 u of a clear bit   ymm11 u of a set bit
 *   ymm12 activations   ymm13 weights
 */
#define INTERLEAVE        2
#define SUMS          4
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    64
#define OPERAND_BYTES 16
#include "micro/kernels/microkernel_frame.h"

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lspread: .byte 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1
    .byte 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3
.Lbits: .rept 4
    .byte 1, 2, 4, 8, 16, 32, 64, 128
    .endr
.Lclear: .fill 32, 1, 2
.Lset: .fill 32, 1, 0

.macro load_constants
    vmovdqa ymm8, [rip + .Lspread]
    vmovdqa ymm9, [rip + .Lbits]
    vmovdqa ymm10, [rip + .Lclear]
    vmovdqa ymm11, [rip + .Lset]
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro word sum, address
    vpbroadcastd ymm13, dword ptr [\address]
    vpshufb ymm13, ymm13, ymm8
    vpand ymm13, ymm13, ymm9
    vpcmpeqb ymm13, ymm13, ymm9
    vpblendvb ymm13, ymm10, ymm11, ymm13
    vpmaddubsw ymm13, ymm13, ymm12
    vpmaddwd ymm13, ymm13, [rip + .Lones]
    vpaddd ymm\sum, ymm\sum, ymm13
.endm

.macro group base, address, column
    vpbroadcastd ymm12, dword ptr [rdi + \column]
    word %(\base), \address
    word %(\base + 1), \address + 4
    word %(\base + 2), \address + 8
    word %(\base + 3), \address + 12
.endm

.macro step base, address
    group \base, \address, 0
    group \base, \address + 16, 4
    group \base, \address + 32, 8
    group \base, \address + 48, 12
.endm

    microkernel_functions
