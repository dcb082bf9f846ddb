/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert, one dot product for a register of weights u = w + 128. The paper's weights are signed, vpdpbssd; those of the format are offset
 * (micro/formats/int8_vnni4/format.c), so with AVX-VNNI-INT8 it is vpdpbsud, which runs where that does.
 *
 *   AVX-VNNI, AVX-VNNI-INT8   Golden Cove: vpdpbusd p01, latency 5: gamma >= 0.5; Lion Cove the same of vpdpbsud
 *   AVX512-VNNI               Golden Cove: vpdpbusd zmm p05, latency 5: gamma >= 0.25
 *
 *   0-11 accumulators   ymm13, zmm31 weights   the others: int8_vnni4.dot.inc
 */
#define ORIGIN     "envelope"
#define BYTES      32.0
#define GROUP_DOTS 1
#define LEAST      1
#define MOST       12
#include "micro/sequences/sequence_frame.h"

#include "micro/of_self.h"
#include OF_ISA(micro/isa/dot)
#include "micro/formats/int8_vnni4/int8_vnni4.dot.inc"

#ifdef VECTOR_IS_ZMM
.macro load_constants
    vmovdqu64 ACTIVATIONS, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm31, [\base + \offset]
.endm

.macro group
    group_of zmm31
.endm
#else
.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm13, [\base + \offset]
.endm

.macro group
    group_of ymm13
.endm
#endif

.macro dot_facts
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
