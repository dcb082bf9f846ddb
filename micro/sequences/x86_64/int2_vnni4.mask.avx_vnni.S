/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks only: each field stays in its place in the byte, and its accumulator, shifted right once at the end, undoes
 * the power of two. 4 ANDs and 4 dot products for 128 weights.
 * Golden Cove: vpand p015, vpdpbusd p01: 8 uops on 3 ports: >= 0.667.
 *
 *   ymm0-7 accumulators   ymm8-11 masks   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "mask"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 8
#define LEAST      4
#define MOST       8
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu ymm15, [rsi]
    mov eax, 0x3030303
    vmovd xmm8, eax
    vpbroadcastd ymm8, xmm8
    mov eax, 0xc0c0c0c
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
    mov eax, 0x30303030
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov eax, 0xc0c0c0c0
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    {vex} vpdpbusd ymm\number, \source, ymm15
.endm

.macro group
    vpand ymm12, ymm14, ymm8
    dot ymm12
    vpand ymm13, ymm14, ymm9
    dot ymm13
    vpand ymm12, ymm14, ymm10
    dot ymm12
    vpand ymm13, ymm14, ymm11
    dot ymm13
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 0, 0, 0
    fact FIELD, 0xc0, 0, 0, 0
.endm

    sequence_functions
