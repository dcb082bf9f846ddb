/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2] as its library has it at 512 bits: weights are a mask; blend, dot product for 64 weights (2 output
 * vectors).
 * Golden Cove at 512 bits: vpblendmb p05, vpdpbusd p05: 2 uops on p05: >= 0.5.
 *
 *   zmm0-11 accumulators   the others: int1_vnni4.envelope.avx512_vnni.inc
 */
#define ORIGIN       "envelope"
#define CLAIMED      0.0
#define BYTES        4.0
#define GROUP_DOTS   1
#define LEAST        1
#define MOST         12
#define WEIGHT_BYTES 8
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/formats/int1_vnni4/int1_vnni4.envelope.avx512_vnni.inc"

.macro load_constants
    vmovdqu64 ACTIVATIONS, [rsi]
    step_constants eax
.endm

.macro dot_facts
    fact BITS, 0, 0, 2, 0
.endm

    sequence_functions
