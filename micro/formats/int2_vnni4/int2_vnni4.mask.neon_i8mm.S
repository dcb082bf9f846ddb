/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks in place: usdot takes the fields unsigned, so all four stay where they are and their accumulators undo the
 * power of two once at the end. 4 ANDs and 4 dot products for 64 weights.
 * Neoverse N2: 8 uops on 2 vector pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
 *
 *   v0-11 accumulators   the others: int2_vnni4.mask.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.neon_i8mm.inc"
#include "micro/formats/int2_vnni4/int2_vnni4.mask_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 0, 0, 0
    fact FIELD, 0xc0, 0, 0, 0
.endm

    sequence_functions
