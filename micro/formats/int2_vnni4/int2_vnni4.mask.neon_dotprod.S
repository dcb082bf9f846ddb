/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks in place: the three lower fields stay where they are, non-negative for sdot, and their accumulators undo the
 * power of two once at the end. The upper field would be negative in place, and is shifted down, which needs no mask.
 * 3 ANDs, 1 shift and 4 dot products for 64 weights.
 * Neoverse N1, N2: and, sdot on both vector pipes, ushr on one: 8 uops on 2 pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
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
#include "micro/isa/dot.neon_dotprod.inc"
#include "micro/formats/int2_vnni4/int2_vnni4.mask_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 0, 0, 0
    fact FIELD, 0xc0, 6, 0, 0
.endm

    sequence_functions
