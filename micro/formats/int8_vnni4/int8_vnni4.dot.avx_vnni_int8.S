/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert, one dot product for 32 weights. The paper's weights are signed, vpdpbssd; those of the format are offset
 * (micro/formats/int8_vnni4/format.c), so it is vpdpbsud, which runs where that does.
 * Lion Cove: vpdpbsud p01: gamma >= 0.5.
 *
 *   ymm0-11 accumulators   the others: int8_vnni4.dot.inc
 */
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      32.0
#define GROUP_DOTS 1
#define LEAST      1
#define MOST       12
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx_vnni_int8.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.dot.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm13, [\base + \offset]
.endm

.macro group
    group_of ymm13
.endm

.macro dot_facts
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
