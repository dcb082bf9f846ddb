/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, prefix sums, on 256 bits: the sequence of neon_i8mm on twice the bytes. 7 ANDs and 8 dot products for
 * 256 weights.
 * Neoverse V1: 15 uops on 2 pipes of 256 bits: >= 0.94.
 *
 *   z0-11 accumulators   the others: int1_planes.prefix.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define LEAST      8
#define MOST       12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.sve256.inc"
#include "micro/formats/int1_planes/int1_planes.prefix_aarch64.inc"

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
