/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, masks only: each bit stays in its place, and its accumulator, shifted right once at the end,
 * undoes the power of two. 8 ANDs and 8 dot products for 512 weights.
 * Golden Cove at 512 bits: 16 uops on p05 for 16 output vectors: >= 0.5.
 *
 *   zmm0-11 accumulators   zmm16-23 masks   zmm26-29 temporaries   zmm30 weights   zmm31 activations
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define LEAST      8
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    mov eax, 0x1010101
    vpbroadcastd zmm16, eax
    mov eax, 0x2020202
    vpbroadcastd zmm17, eax
    mov eax, 0x4040404
    vpbroadcastd zmm18, eax
    mov eax, 0x8080808
    vpbroadcastd zmm19, eax
    mov eax, 0x10101010
    vpbroadcastd zmm20, eax
    mov eax, 0x20202020
    vpbroadcastd zmm21, eax
    mov eax, 0x40404040
    vpbroadcastd zmm22, eax
    mov eax, 0x80808080
    vpbroadcastd zmm23, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
    vpandd zmm26, zmm30, zmm16
    dot zmm26
    vpandd zmm27, zmm30, zmm17
    dot zmm27
    vpandd zmm28, zmm30, zmm18
    dot zmm28
    vpandd zmm29, zmm30, zmm19
    dot zmm29
    vpandd zmm26, zmm30, zmm20
    dot zmm26
    vpandd zmm27, zmm30, zmm21
    dot zmm27
    vpandd zmm28, zmm30, zmm22
    dot zmm28
    vpandd zmm29, zmm30, zmm23
    dot zmm29
.endm

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x02, 0, 0, 0
    fact FIELD, 0x04, 0, 0, 0
    fact FIELD, 0x08, 0, 0, 0
    fact FIELD, 0x10, 0, 0, 0
    fact FIELD, 0x20, 0, 0, 0
    fact FIELD, 0x40, 0, 0, 0
    fact FIELD, 0x80, 0, 0, 0
.endm

    sequence_functions
