/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums: masked by 0x03, 0x0f, 0x3f and unmasked, the byte times one activation gives S0, S0 + 4 S1, ...;
 * neighbours are subtracted once at the end. 3 ANDs and 4 dot products for 64 weights.
 * Neoverse N2: 7 uops on 2 vector pipes: >= 1.75. V1, V2: 4 pipes: >= 0.875.
 *
 *   v0-11 accumulators   the others: int2_vnni4.prefix.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.neon_i8mm.inc"
#include "micro/formats/int2_vnni4/int2_vnni4.prefix_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
