/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-D, Fig. 2] at 512 bits: broadcast 64 bits, byte shuffle, test into a mask register, blend,
 * dot product for every 64 weights. AND and compare are one instruction here.
 *
 *   zmm0-7 sums of 4 panels   zmm20 shuffle   zmm21 bit of each byte   zmm22 u of a clear bit   zmm23 u of a set bit
 *   zmm28 activations   zmm31 weights   k1 set bits
 */
#define INTERLEAVE        4
#define SUMS          2
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_BYTES    64
#define OPERAND_BYTES 16
#include "micro/kernels/microkernel_frame.h"


    .section .rodata
    .balign 64
.Lspread: .set spread_byte, 0
    .rept 8
    .fill 8, 1, spread_byte
    .set spread_byte, spread_byte + 1
    .endr
.Lbits: .byte 1, 2, 4, 8, 16, 32, 64, 128

.macro load_constants
    vmovdqa64 zmm20, [rip + .Lspread]
    vpbroadcastq zmm21, [rip + .Lbits]
    mov edi, 0x02020202
    vpbroadcastd zmm22, edi
    vpxord zmm23, zmm23, zmm23
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro word sum, address
    vpbroadcastq zmm31, qword ptr [\address]
    vpshufb zmm31, zmm31, zmm20
    vptestmb k1, zmm31, zmm21
    vpblendmb zmm31{k1}, zmm22, zmm23
    vpdpbusd zmm\sum, zmm31, zmm28
.endm

.macro group base, address, column
    vpbroadcastd zmm28, dword ptr [rdi + \column]
    word %(\base), \address
    word %(\base + 1), \address + 8
.endm

.macro step base, address
    group \base, \address, 0
    group \base, \address + 16, 4
    group \base, \address + 32, 8
    group \base, \address + 48, 12
.endm

    microkernel_functions
