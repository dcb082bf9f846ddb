/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, masks only: each bit stays in its place, and its accumulator, shifted right once at the end,
 * undoes the power of two. 8 ANDs and 8 dot products for 256 weights.
 * Without VNNI the dot product is three instructions; 128 * 127 * 2 just stays within the 16 bits of vpmaddubsw.
 * Golden Cove: 32 uops on p015, 16 of them on p01: >= 1.33.
 *
 *   ymm0-7 accumulators   ymm10 ones   ymm11 product   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int1_planes"
#define SEQUENCE   "mask"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define GROUP_UOPS 32
#define LEAST      8
#define MOST       8
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Lmask0: .fill 32, 1, 0x01
.Lmask1: .fill 32, 1, 0x02
.Lmask2: .fill 32, 1, 0x04
.Lmask3: .fill 32, 1, 0x08
.Lmask4: .fill 32, 1, 0x10
.Lmask5: .fill 32, 1, 0x20
.Lmask6: .fill 32, 1, 0x40
.Lmask7: .fill 32, 1, 0x80

.macro load_constants
    vmovdqu ymm15, [rsi]
    mov eax, 0x10001
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

/* unsigned times signed bytes to words, words to double words, add: no intermediate sum leaves 16 bits */
.macro dot_into number, source
    vpmaddubsw ymm11, \source, ymm15
    vpmaddwd ymm11, ymm11, ymm10
    vpaddd ymm\number, ymm\number, ymm11
.endm

.macro group
    vpand ymm12, ymm14, [rip + .Lmask0]
    dot ymm12
    vpand ymm13, ymm14, [rip + .Lmask1]
    dot ymm13
    vpand ymm12, ymm14, [rip + .Lmask2]
    dot ymm12
    vpand ymm13, ymm14, [rip + .Lmask3]
    dot ymm13
    vpand ymm12, ymm14, [rip + .Lmask4]
    dot ymm12
    vpand ymm13, ymm14, [rip + .Lmask5]
    dot ymm13
    vpand ymm12, ymm14, [rip + .Lmask6]
    dot ymm12
    vpand ymm13, ymm14, [rip + .Lmask7]
    dot ymm13
.endm

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x02, 0, 0, 0
    fact FIELD, 0x04, 0, 0, 0
    fact FIELD, 0x08, 0, 0, 0
    fact FIELD, 0x10, 0, 0, 0
    fact FIELD, 0x20, 0, 0, 0
    fact FIELD, 0x40, 0, 0, 0
    fact FIELD, 0x80, 0, 0, 0
.endm

    sequence_functions
