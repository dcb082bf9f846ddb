/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, prefix sums: the lower nibble masked, and the whole byte, which is the lower nibble and 16 times the upper one; the first is
 * subtracted once at the end. 1 AND and 2 dot products for 32 weights.
 * Neoverse N2: 3 uops on 2 vector pipes: >= 1.5. V1, V2: 4 pipes: >= 0.75.
 *
 *   v0-11 accumulators   the others: int4_vnni4.prefix.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.neon_i8mm.inc"
#include "micro/formats/int4_vnni4/int4_vnni4.prefix_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
