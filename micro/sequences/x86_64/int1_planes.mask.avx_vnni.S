/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, masks only: each bit stays in its place, and its accumulator, shifted right once at the end,
 * undoes the power of two. 8 ANDs and 8 dot products for 256 weights.
 * The masks are memory operands, fused with the AND, since sixteen registers do not hold them too.
 * Golden Cove: vpand p015, vpdpbusd p01: 16 uops on 3 ports: >= 0.667.
 *
 *   ymm0-11 accumulators   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int1_planes"
#define SEQUENCE   "mask"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define GROUP_UOPS 16
#define LEAST      8
#define MOST       12
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
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    {vex} vpdpbusd ymm\number, \source, ymm15
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
