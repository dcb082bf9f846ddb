/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit of [envelope, III-B, Fig. 1]: 1 shift, 2 ANDs, 4 byte shuffles and 4 dot products for 128 weights.
 * The tables give u = w + 2 for the unsigned operand of vpdpbusd.
 * Golden Cove: 11 uops on p015, shuffles p15, dots p01: >= 0.92; 4 accumulators of latency 5: 1.25.
 *
 *   ymm0-7 accumulators   the others: int2_vnni4.envelope.inc
 */
#define ORIGIN     "envelope"
#define CLAIMED    1.25
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       8
#define CODE_OFFSETS
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx_vnni.inc"
#include "micro/formats/int2_vnni4/int2_vnni4.envelope.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 2, 0, 0
    fact FIELD, 0x30, 4, 0, 0
    fact FIELD, 0xc0, 6, 0, 0
.endm

    sequence_functions
