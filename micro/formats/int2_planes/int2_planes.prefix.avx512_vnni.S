/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums: masked by 0x03, 0x0f, 0x3f and unmasked, the byte times one activation gives S0, S0 + 4 S1, ...;
 * neighbours are subtracted once at the end. 3 ANDs and 4 dot products for 256 weights.
 * Golden Cove at 512 bits: 7 uops on p05 for 8 output vectors: >= 0.4375.
 * No fewer: four rows need four dot products, and all operands but the whole byte a uop to make, whether mask, shift (p0),
 * vpmultishiftqb (p5), vpternlogd or vgf2p8affineqb (p0). vpdpbusd's own masks are of double words. By look-ups, two planes of
 * int1_sextets would take 0.48, three weights a look-up 0.51.
 *
 *   zmm0-11 accumulators   the others: planes.prefix.avx512_vnni.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#define PLANES 4
#include "micro/families/planes/planes.prefix.avx512_vnni.inc"

.macro load_constants
    vmovdqu64 ACTIVATIONS, [rsi]
    step_constants eax
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
