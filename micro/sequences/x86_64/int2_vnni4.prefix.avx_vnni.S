/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums: masked by 0x03, 0x0f, 0x3f and unmasked, the byte times one activation gives S0, S0 + 4 S1, ...;
 * neighbours are subtracted once at the end. 3 ANDs and 4 dot products for 128 weights.
 * Golden Cove: vpand p015, vpdpbusd p01: 7 uops on 3 ports: >= 0.583.
 *
 *   ymm0-7 accumulators   ymm8-10 masks   ymm11-13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "prefix"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 7
#define LEAST      4
#define MOST       8
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu ymm14, [rdi]
    vmovdqu ymm15, [rsi]
    mov eax, 0x3030303
    vmovd xmm8, eax
    vpbroadcastd ymm8, xmm8
    mov eax, 0xf0f0f0f
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
    mov eax, 0x3f3f3f3f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
.endm

.macro dot_into number, source
    {vex} vpdpbusd ymm\number, \source, ymm15
.endm

.macro group
    vpand ymm11, ymm14, ymm8
    dot ymm11
    vpand ymm12, ymm14, ymm9
    dot ymm12
    vpand ymm13, ymm14, ymm10
    dot ymm13
    dot ymm14
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
