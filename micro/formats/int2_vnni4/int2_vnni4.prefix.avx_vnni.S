/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums: masked by 0x03, 0x0f, 0x3f and unmasked, the byte times one activation gives S0, S0 + 4 S1, ...;
 * neighbours are subtracted once at the end. 3 ANDs and 4 dot products for 128 weights.
 * Golden Cove: vpand p015, vpdpbusd p01: 7 uops on 3 ports: >= 0.583.
 * No fewer: four rows want four dot products (0.5 of p01 by themselves), and all operands but the whole byte a uop.
 *
 *   ymm0-10 accumulators   ymm11 temporary   the others: int2_vnni4.prefix.avx_vnni.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       11
#include "micro/sequences/sequence_frame.h"
#include "micro/formats/int2_vnni4/int2_vnni4.prefix.avx_vnni.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
.endm

.macro group
    group_of ymm11
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
