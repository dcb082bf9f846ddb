/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums, on 256 bits: the sequence of neon_i8mm on twice the bytes. 3 ANDs and 4 dot products for 128 weights.
 * Neoverse V1: 7 uops on 2 pipes of 256 bits: >= 0.875.
 *
 *   z0-11 accumulators   the others: int2_vnni4.prefix.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.sve256.inc"
#include "micro/formats/int2_vnni4/int2_vnni4.prefix_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
