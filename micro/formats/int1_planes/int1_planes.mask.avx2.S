/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, masks only: each bit stays in its place, and its accumulator, shifted right once at the end,
 * undoes the power of two. 8 ANDs and 8 dot products for 256 weights.
 * Without VNNI the dot product is three instructions; 128 * 127 * 2 just stays within the 16 bits of vpmaddubsw.
 * Golden Cove: 32 uops on p015, 16 of them on p01: >= 1.33.
 *
 *   ymm0-11 accumulators   the others: int1_planes.mask.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define LEAST      8
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx2.inc"
#include "micro/formats/int1_planes/int1_planes.mask.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
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
