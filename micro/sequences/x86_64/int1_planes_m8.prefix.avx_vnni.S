/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, prefix sums: masked by 0x01, 0x03, 0x07, ... and unmasked, neighbours subtracted once at the
 * end. 7 ANDs and 8 dot products for 256 weights.
 * The masks are memory operands, fused with the AND, since sixteen registers do not hold them too.
 * Golden Cove: vpand p015, vpdpbusd p01: 15 uops on 3 ports: >= 0.625.
 * int1_nibbles_m32.lookup.avx2, which multiplies nothing, takes fewer on the same ports: 0.492.
 *
 *   ymm0-11 accumulators   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int1_planes_m8"
#define SEQUENCE   "prefix"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define GROUP_UOPS 15
#define LEAST      8
#define MOST       12
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Lmask0: .fill 32, 1, 0x01
.Lmask1: .fill 32, 1, 0x03
.Lmask2: .fill 32, 1, 0x07
.Lmask3: .fill 32, 1, 0x0f
.Lmask4: .fill 32, 1, 0x1f
.Lmask5: .fill 32, 1, 0x3f
.Lmask6: .fill 32, 1, 0x7f

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
    dot ymm14
.endm

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x07, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x1f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0x7f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
