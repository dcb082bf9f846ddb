/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, prefix sums: masked by 0x01, 0x03, 0x07, ... and unmasked, neighbours subtracted once at the
 * end. 7 ANDs and 8 dot products for 512 weights.
 * Golden Cove at 512 bits: 15 uops on p05 for 16 output vectors: >= 0.469.
 *
 *   zmm0-11 accumulators   zmm16-22 masks   zmm26-29 temporaries   zmm30 weights   zmm31 activations
 */
#define FORMAT     "int1_planes"
#define SEQUENCE   "prefix"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define GROUP_UOPS 15
#define LEAST      8
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    mov eax, 0x1010101
    vpbroadcastd zmm16, eax
    mov eax, 0x3030303
    vpbroadcastd zmm17, eax
    mov eax, 0x7070707
    vpbroadcastd zmm18, eax
    mov eax, 0xf0f0f0f
    vpbroadcastd zmm19, eax
    mov eax, 0x1f1f1f1f
    vpbroadcastd zmm20, eax
    mov eax, 0x3f3f3f3f
    vpbroadcastd zmm21, eax
    mov eax, 0x7f7f7f7f
    vpbroadcastd zmm22, eax
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
    dot zmm30
.endm

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x07, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x1f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0x7f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
