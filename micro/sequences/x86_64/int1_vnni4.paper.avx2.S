/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2]: byte shuffle, AND, compare, blend, dot product for 32 weights; the broadcast of the
 * 32 bits is a load and so excluded.
 * Without VNNI the dot product is three instructions.
 * Golden Cove: 9 uops on p015: >= 3.
 *
 *   ymm0-3 accumulators   ymm6 ones   ymm7 product   ymm8 shuffle   ymm9 bit of each byte   ymm10, ymm11 values   ymm13 temporary
 *   ymm14 weights   ymm15 activations
 */
#define FORMAT       "int1_vnni4"
#define SEQUENCE     "paper"
#define ORIGIN       "envelope"
#define CLAIMED      0.0
#define BYTES        4.0
#define GROUP_DOTS   1
#define GROUP_UOPS   9
#define LEAST        1
#define MOST         4
#define WEIGHT_BYTES 4
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Lspread: .byte 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1
    .byte 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3
.Lbits: .rept 4
    .byte 1, 2, 4, 8, 16, 32, 64, 128
    .endr

.macro load_constants
    vmovdqu ymm15, [rsi]
    vmovdqa ymm8, [rip + .Lspread]
    vmovdqa ymm9, [rip + .Lbits]
    mov eax, 0x2020202
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov eax, 0x0
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
    mov eax, 0x10001
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
.endm

.macro load_weights base, offset
    vpbroadcastd ymm14, [\base + \offset]
.endm

/* unsigned times signed bytes to words, words to double words, add: no intermediate sum leaves 16 bits */
.macro dot_into number, source
    vpmaddubsw ymm7, \source, ymm15
    vpmaddwd ymm7, ymm7, ymm6
    vpaddd ymm\number, ymm\number, ymm7
.endm

.macro group
    vpshufb ymm13, ymm14, ymm8
    vpand ymm13, ymm13, ymm9
    vpcmpeqb ymm13, ymm13, ymm9
    vpblendvb ymm13, ymm10, ymm11, ymm13
    dot ymm13
.endm

.macro dot_facts
    fact BITS, 0, 0, 2, 0
.endm

    sequence_functions
