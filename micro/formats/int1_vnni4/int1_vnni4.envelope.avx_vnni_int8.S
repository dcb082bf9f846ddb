/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2]: byte shuffle, AND, compare, blend, dot product for 32 weights; the broadcast of the
 * 32 bits is a load and so excluded.
 * As the paper has it: the blended values are the signed weights, vpdpbssd multiplies.
 *
 *   ymm0-7 accumulators   the others: int1_vnni4.envelope.inc
 */
#define ORIGIN       "envelope"
#define CLAIMED      2.4
#define BYTES        4.0
#define GROUP_DOTS   1
#define LEAST        1
#define MOST         8
#define WEIGHT_BYTES 4
#define WEIGHTS_ARE_SIGNED
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx_vnni_int8.inc"
#include "micro/formats/int1_vnni4/int1_vnni4.envelope.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro dot_facts
    fact BITS, 0, 0, 1, -1
.endm

    sequence_functions
