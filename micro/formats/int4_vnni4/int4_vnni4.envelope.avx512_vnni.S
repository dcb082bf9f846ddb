/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit as [envelope, III-B] does 2-bit, at 512 bits: 1 shift, 2 ANDs, 2 byte shuffles and 2 dot products for 128 weights
 * (4 output vectors). The table gives u = w + 8 for the unsigned operand of vpdpbusd.
 *
 *     register, 64 bytes = [m16][k4] bytes of two nibbles: low rows 0-15, high rows 16-31
 *
 *   Golden Cove        7 uops on p05, 2 of them shuffles on p5: >= 0.875
 *
 *   zmm0-11 accumulators   zmm20 table   zmm21 mask 0x0f   zmm28, zmm29 temporaries   zmm30 weights   zmm31 activations
 */
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 16
.Lvalues: .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    vbroadcasti32x4 zmm20, [rip + .Lvalues]
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm21, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
    vpsrlw zmm28, zmm30, 4
    vpandd zmm29, zmm30, zmm21
    vpandd zmm28, zmm28, zmm21
    vpshufb zmm29, zmm20, zmm29
    vpshufb zmm28, zmm20, zmm28
    dot zmm29
    dot zmm28
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xf0, 4, 0, 0
.endm

    sequence_functions
