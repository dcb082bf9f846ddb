/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, exact look-up of four weights at a time: two bits that name a group of four activations and a nibble of weights
 * index a 64-byte table of their sums, low and high bytes apart; dot products with ones add the four groups of a row.
 * 1 shift, 2 mask-and-or, 4 vpermb and 4 dot products for 512 weights: 11 uops for 16 output vectors, and a copy of the
 * weights, which in a kernel is their load: it takes no port, but its place in the issue width.
 * Golden Cove at 512 bits: vpsrld p0, vpternlogd p05, vpermb p5, vpdpbusd p05: >= 0.344. The tables are made once per
 * activation vector, outside the sequence, and their loads are shared by the rows.
 *
 *   zmm0-11 accumulators   zmm16 mask 0x0f   zmm17 group of each byte   zmm18 ones   zmm26-29 indices and sums
 *   zmm30 weights   zmm31 table
 */
#define FORMAT        "int1_nibbles"
#define SEQUENCE      "lookup"
#define ORIGIN        "kneepoint"
#define CLAIMED       0.0
#define BYTES         4.0
#define GROUP_DOTS    4
#define GROUP_UOPS    12
#define GROUP_VECTORS 16
#define LEAST         2
#define MOST          12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

/* (index and mask) or group */
#define AND_OR 0xea

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm16, eax
    mov eax, 0x30201000
    vpbroadcastd zmm17, eax
    mov eax, 0x01010101
    vpbroadcastd zmm18, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

/* low bytes are unsigned, high bytes signed */
.macro dot_into number, source
    .if dot_sign == 0
    vpdpbusd zmm\number, \source, zmm18
    .else
    vpdpbusd zmm\number, zmm18, \source
    .endif
    .set dot_sign, 1 - dot_sign
.endm

/* the weights stay: the copy into the index register is eliminated at rename and takes no port */
.macro group
    .set dot_sign, 0
    vmovdqa64 zmm26, zmm30
    vpsrld zmm27, zmm30, 4
    vpternlogd zmm26, zmm16, zmm17, AND_OR
    vpternlogd zmm27, zmm16, zmm17, AND_OR
    vpermb zmm28, zmm26, zmm31
    vpermb zmm29, zmm26, zmm31
    dot zmm28
    dot zmm29
    vpermb zmm28, zmm27, zmm31
    vpermb zmm29, zmm27, zmm31
    dot zmm28
    dot zmm29
.endm

.macro dot_facts
    fact LOOKUP, 0x0f, 0, 0, 0
    fact LOOKUP, 0x0f, 0, 0, 1
    fact LOOKUP, 0xf0, 4, 0, 0
    fact LOOKUP, 0xf0, 4, 0, 1
.endm

    sequence_functions
