/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, prefix sums: the low nibble masked, and the whole byte, which is u_low + 16 u_high against the same activation; the
 * first is subtracted from the second once at the end, and the rest shifted right. 1 AND and 2 dot products for 128 weights
 * u = w + 8.
 *
 *     register, 64 bytes = [m16][k4] bytes of two nibbles: low rows 0-15, high rows 16-31
 *
 *   Golden Cove        3 uops on p05 for 4 output vectors: >= 0.375; a core whose zmm vpdpbusd is p0 alone: 0.5
 *
 *   zmm0-11 accumulators   the others: int4_vnni4.prefix.avx512_vnni.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/formats/int4_vnni4/int4_vnni4.prefix.avx512_vnni.inc"

.macro load_constants
    vmovdqu64 ACTIVATIONS, [rsi]
    step_constants eax
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
