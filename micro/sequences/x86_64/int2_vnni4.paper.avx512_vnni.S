/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit of [envelope, III-B, Fig. 1]: 1 shift, 2 ANDs, 4 byte shuffles and 4 dot products for 256 weights (8 output vectors).
 * Golden Cove at 512 bits: 11 uops on p05, 4 of them shuffles on p5: >= 0.69.
 *
 *   zmm0-11 accumulators   zmm20, zmm21 tables   zmm22 mask 0x0f   zmm27-29 temporaries   zmm30 weights   zmm31 activations
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "paper"
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 11
#define LEAST      4
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Llut01: .rept 2
    .byte 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3
    .endr
.Llut23: .rept 2
    .byte 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3
    .endr

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    vbroadcasti32x4 zmm20, [rip + .Llut01]
    vbroadcasti32x4 zmm21, [rip + .Llut23]
    mov eax, 0xf0f0f0f
    vpbroadcastd zmm22, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
    vpsrld zmm28, zmm30, 4
    vpandd zmm29, zmm30, zmm22
    vpandd zmm28, zmm28, zmm22
    vpshufb zmm27, zmm20, zmm29
    vpshufb zmm29, zmm21, zmm29
    dot zmm27
    dot zmm29
    vpshufb zmm27, zmm20, zmm28
    vpshufb zmm28, zmm21, zmm28
    dot zmm27
    dot zmm28
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 2, 0, 0
    fact FIELD, 0x30, 4, 0, 0
    fact FIELD, 0xc0, 6, 0, 0
.endm

    sequence_functions
