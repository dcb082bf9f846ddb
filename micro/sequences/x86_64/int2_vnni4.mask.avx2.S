/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks, without VNNI: the upper two fields are shifted down once, because 192 * 127 * 2 leaves the 16 bits of
 * vpmaddubsw. 1 shift, 4 ANDs and 4 dot products of three instructions for 128 weights.
 * Golden Cove: 17 uops on p015, 9 of them (vpmaddubsw, vpmaddwd, vpsrld) on p01: >= 1.42.
 *
 *   ymm0-3 accumulators   ymm6 ones   ymm7 product   ymm8, ymm9 masks   ymm11-13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "mask"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 17
#define LEAST      4
#define MOST       4
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu ymm15, [rsi]
    mov eax, 0x3030303
    vmovd xmm8, eax
    vpbroadcastd ymm8, xmm8
    mov eax, 0xc0c0c0c
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
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
    vpsrld ymm13, ymm14, 4
    vpand ymm11, ymm14, ymm8
    vpand ymm12, ymm14, ymm9
    dot ymm11
    dot ymm12
    vpand ymm11, ymm13, ymm8
    vpand ymm12, ymm13, ymm9
    dot ymm11
    dot ymm12
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 4, 0, 0
    fact FIELD, 0xc0, 4, 0, 0
.endm

    sequence_functions
