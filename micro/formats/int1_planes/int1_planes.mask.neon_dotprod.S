/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, masks in place: seven bits stay where they are, the upper one is shifted down for sdot.
 * 7 ANDs, 1 shift and 8 dot products for 128 weights.
 * Neoverse N1, N2: 16 uops on 2 vector pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
 *
 *   v0-11 accumulators   the others: int1_planes.mask.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define LEAST      8
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.neon_dotprod.inc"
#include "micro/formats/int1_planes/int1_planes.mask_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x02, 0, 0, 0
    fact FIELD, 0x04, 0, 0, 0
    fact FIELD, 0x08, 0, 0, 0
    fact FIELD, 0x10, 0, 0, 0
    fact FIELD, 0x20, 0, 0, 0
    fact FIELD, 0x40, 0, 0, 0
    fact FIELD, 0x80, 7, 0, 0
.endm

    sequence_functions
