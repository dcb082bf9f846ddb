/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2]: byte shuffle, AND, compare, blend, dot product for 32 weights; the broadcast of the
 * 32 bits is a load and so excluded.
 * Without VNNI the dot product is three instructions.
 * Golden Cove: 9 uops on p015: >= 3.
 *
 *   ymm0-7 accumulators   the others: int1_vnni4.envelope.inc
 */
#define ORIGIN       "envelope"
#define CLAIMED      0.0
#define BYTES        4.0
#define GROUP_DOTS   1
#define LEAST        1
#define MOST         8
#define WEIGHT_BYTES 4
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx2.inc"
#include "micro/formats/int1_vnni4/int1_vnni4.envelope.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro dot_facts
    fact BITS, 0, 0, 2, 0
.endm

    sequence_functions
