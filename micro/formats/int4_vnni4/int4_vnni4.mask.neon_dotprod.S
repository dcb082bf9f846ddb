/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit: the lower nibble masked, the upper one shifted down, both non-negative for sdot. 1 AND, 1 shift and 2 dot products for 32
 * weights.
 * Neoverse N1, N2: 4 uops on 2 vector pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
 *
 *   v0-11 accumulators   the others: int4_vnni4.mask.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.neon_dotprod.inc"
#include "micro/formats/int4_vnni4/int4_vnni4.mask_aarch64.inc"

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xf0, 4, 0, 0
.endm

    sequence_functions
