/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, masks only: the high nibble stays in its place, and its accumulator, shifted right once at the end, undoes the
 * sixteen. 2 ANDs and 2 dot products for 64 weights u = w + 8.
 *
 *     register, 32 bytes = [m8][k4] bytes of two nibbles: low rows 0-7, high rows 8-15
 *
 *   Golden Cove        vpand p015, vpdpbusd p01: 4 uops on 3 ports: >= 0.667
 *
 *   ymm0-9 accumulators   ymm10, ymm11 masks   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       10
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov eax, 0xf0f0f0f0
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
    vmovdqu ymm15, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    {vex} vpdpbusd ymm\number, \source, ymm15
.endm

.macro group
    vpand ymm12, ymm14, ymm10
    dot ymm12
    vpand ymm13, ymm14, ymm11
    dot ymm13
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xf0, 0, 0, 0
.endm

    sequence_functions
