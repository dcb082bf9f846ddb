/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit of [envelope, III-B, Fig. 1]: 1 shift, 2 ANDs, 4 byte shuffles and 4 dot products for 128 weights.
 * Without VNNI each dot product is three instructions.
 * Golden Cove: 19 uops on p015: >= 1.58.
 *
 *   ymm0-5 accumulators   ymm6 ones   ymm7 product   ymm8, ymm9 tables   ymm10 mask 0x0f   ymm11-13 temporaries
 *   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "paper"
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 19
#define LEAST      4
#define MOST       4
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Llut01: .rept 2
    .byte 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3
    .endr
.Llut23: .rept 2
    .byte 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3
    .endr

.macro load_constants
    vmovdqu ymm15, [rsi]
    vmovdqa ymm8, [rip + .Llut01]
    vmovdqa ymm9, [rip + .Llut23]
    mov eax, 0xf0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov eax, 0x10001
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

/* unsigned times signed bytes to words, words to double words, add: no intermediate sum leaves 16 bits */
.macro dot_into number, source
    vpmaddubsw ymm7, \source, ymm15
    vpmaddwd ymm7, ymm7, ymm6
    vpaddd ymm\number, ymm\number, ymm7
.endm

.macro group
    vpsrld ymm12, ymm14, 4
    vpand ymm13, ymm14, ymm10
    vpand ymm12, ymm12, ymm10
    vpshufb ymm11, ymm8, ymm13
    vpshufb ymm13, ymm9, ymm13
    dot ymm11
    dot ymm13
    vpshufb ymm11, ymm8, ymm12
    vpshufb ymm12, ymm9, ymm12
    dot ymm11
    dot ymm12
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 2, 0, 0
    fact FIELD, 0x30, 4, 0, 0
    fact FIELD, 0xc0, 6, 0, 0
.endm

    sequence_functions
