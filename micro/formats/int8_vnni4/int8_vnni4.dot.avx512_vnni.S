/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert, one dot product for 64 weights u = w + 128 (two output vectors).
 * Golden Cove: vpdpbusd zmm p05, latency 5: gamma >= 0.25.
 *
 *   zmm0-11 accumulators   the others: int8_vnni4.dot.inc
 */
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      32.0
#define GROUP_DOTS 1
#define LEAST      1
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/isa/dot.avx512_vnni.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.dot.inc"

.macro load_constants
    vmovdqu64 ACTIVATIONS, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm31, [\base + \offset]
.endm

.macro group
    group_of zmm31
.endm

.macro dot_facts
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
