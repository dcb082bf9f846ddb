/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums: masked by 0x03, 0x0f, 0x3f and unmasked, the byte times one activation gives S0, S0 + 4 S1, ...;
 * neighbours are subtracted once at the end. 3 ANDs and 4 dot products for 128 weights.
 * Golden Cove: vpand p015, vpdpbusd p01: 7 uops on 3 ports: >= 0.583.
 * No fewer: four rows want four dot products (0.5 of p01 by themselves), and all operands but the whole byte a uop.
 *
 * The masks are memory operands, fused with the AND, since sixteen registers do not hold them beside twelve accumulators.
 *
 *   ymm0-11 accumulators   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "prefix"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 7
#define LEAST      4
#define MOST       12
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Lmask03: .fill 32, 1, 0x03
.Lmask0f: .fill 32, 1, 0x0f
.Lmask3f: .fill 32, 1, 0x3f

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
    vpand ymm12, ymm14, [rip + .Lmask03]
    vpand ymm13, ymm14, [rip + .Lmask0f]
    dot ymm12
    vpand ymm12, ymm14, [rip + .Lmask3f]
    dot ymm13
    dot ymm12
    dot ymm14
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
