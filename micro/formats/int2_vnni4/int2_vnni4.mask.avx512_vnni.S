/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks only: each field stays in its place in the byte, and its accumulator, shifted right once at the end, undoes
 * the power of two. 4 ANDs and 4 dot products for 256 weights.
 * Golden Cove at 512 bits: 8 uops on p05 for 8 output vectors: >= 0.5.
 *
 *   zmm0-11 accumulators   zmm20-23 masks   zmm26-29 temporaries   zmm30 weights   zmm31 activations
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    mov eax, 0x3030303
    vpbroadcastd zmm20, eax
    mov eax, 0xc0c0c0c
    vpbroadcastd zmm21, eax
    mov eax, 0x30303030
    vpbroadcastd zmm22, eax
    mov eax, 0xc0c0c0c0
    vpbroadcastd zmm23, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
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
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 0, 0, 0
    fact FIELD, 0xc0, 0, 0, 0
.endm

    sequence_functions
