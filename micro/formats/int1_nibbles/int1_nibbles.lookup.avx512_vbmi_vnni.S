/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, exact look-up of four weights at a time: two bits that name a group of four activations and a nibble of weights
 * index a 64-byte table of their sums, low and high bytes apart; dot products with ones add the four groups of a row.
 * 1 shift, 2 mask-and-or, 4 vpermb and 4 dot products for 512 weights: 11 uops of arithmetic for 16 output vectors,
 * and a copy of the weights, which in a kernel is their load: it takes no port, but its place in the issue width.
 * Golden Cove at 512 bits: vpsrld p0, vpternlogd p05, vpermb p5, vpdpbusd p05: >= 0.344. The tables are made once per
 * activation vector, outside the sequence, and their loads are shared by the rows. 12 uops issued: 11 of arithmetic,
 * 1 copy.
 *
 *   zmm0-11 accumulators   the others: int1_nibbles.lookup.avx512_vbmi_vnni.inc
 */
#define ORIGIN        "kneepoint"
#define CLAIMED       0.0
#define BYTES         4.0
#define GROUP_DOTS    4
#define GROUP_VECTORS 16
#define LEAST         2
#define MOST          12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/formats/int1_nibbles/int1_nibbles.lookup.avx512_vbmi_vnni.inc"

.macro load_constants
    vmovdqu64 zmm20, [rsi]
    step_constants eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm27, [\base + \offset]
.endm

/* the weights stay: the copy into the index register is eliminated at rename and takes no port */
.macro group
    vmovdqa64 zmm31, zmm27
    group_of zmm20, zmm20, zmm20, zmm20
.endm

.macro dot_facts
    fact LOOKUP, 0x0f, 0, 0, 0
    fact LOOKUP, 0x0f, 0, 0, 1
    fact LOOKUP, 0xf0, 4, 0, 0
    fact LOOKUP, 0xf0, 4, 0, 1
.endm

    sequence_functions
