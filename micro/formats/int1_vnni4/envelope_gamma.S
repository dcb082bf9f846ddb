/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2]: byte shuffle, AND, compare, blend, dot product for 32 weights; the broadcast of the 32 bits is a load and so excluded.
 * The blended values are u = w + 1 for the unsigned operand of vpdpbusd, or as the paper has it the signed weights, vpdpbssd multiplies.
 *
 *   AVX-VNNI,      vpblendvb is 3 uops of p015, 7 in all. Golden Cove: >= 2.33
 *   AVX-VNNI-INT8
 *   AVX2           the dot product is three instructions: 9. Golden Cove: p015: >= 3
 *   AVX512-VNNI    as its library has it: weights are a mask; blend, dot product for 64 weights (2 output vectors).
 *                  Golden Cove at 512 bits: vpblendmb p05, vpdpbusd p05: 2: >= 0.5
 *
 *   ymm0-7, zmm0-11 accumulators   the others: int1_vnni4.envelope.inc, int1_vnni4.envelope.avx512_vnni.inc
 */
#define ORIGIN     "envelope"
#define BYTES      4.0
#define GROUP_DOTS 1
#define LEAST      1
#ifdef VECTOR_IS_ZMM
#define MOST         12
#define WEIGHT_BYTES 8
#else
#define MOST         8
#define WEIGHT_BYTES 4
#endif
#include "micro/sequences/sequence_frame.h"

#ifdef VECTOR_IS_ZMM
#include "micro/formats/int1_vnni4/int1_vnni4.envelope.avx512_vnni.inc"
#else
#include "micro/of_self.h"
#include OF_ISA(micro/isa/dot)
#include "micro/formats/int1_vnni4/int1_vnni4.envelope.inc"
#endif

.macro load_constants
#ifdef VECTOR_IS_ZMM
    vmovdqu64 ACTIVATIONS, [rsi]
#else
    vmovdqu ACTIVATIONS, [rsi]
#endif
    step_constants eax
.endm

.macro dot_facts
#ifdef WEIGHTS_ARE_SIGNED
    fact BITS, 0, 0, 1, -1
#else
    fact BITS, 0, 0, 2, 0
#endif
.endm

    sequence_functions
