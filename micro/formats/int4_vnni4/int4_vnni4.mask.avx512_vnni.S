/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, masks only: the high nibble stays in its place, and its accumulator, shifted right once at the end, undoes the
 * sixteen. 2 ANDs and 2 dot products for 128 weights u = w + 8.
 *
 *     register, 64 bytes = [m16][k4] bytes of two nibbles: low rows 0-15, high rows 16-31
 *
 *   Golden Cove        4 uops on p05 for 4 output vectors: >= 0.5
 *
 *   zmm0-11 accumulators   zmm20, zmm21 masks   zmm28, zmm29 temporaries   zmm30 weights   zmm31 activations
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define LEAST      2
#define MOST       12
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm20, eax
    mov eax, 0xf0f0f0f0
    vpbroadcastd zmm21, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
    vpandd zmm28, zmm30, zmm20
    dot zmm28
    vpandd zmm29, zmm30, zmm21
    dot zmm29
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xf0, 0, 0, 0
.endm

    sequence_functions
