/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes: seven ANDs and eight vpdpbusd for 512 weights.
 *
 * All eight bits of a byte meet the same activation. Masked by 0x01, 0x03, 0x07, ..., unmasked, the byte times the
 * activation sums S0, S0 + 2 S1, S0 + 2 S1 + 4 S2, ...; the differences of neighbours, shifted right, are the eight rows.
 * Ports of a Golden-Cove-class core at 512 bits: 15 uops on p05 for 16 output vectors, gamma >= 0.469.
 *
 *   zmm0-15 sums of 2 panels   zmm20-26 masks   zmm28 activations   zmm31 weights   zmm27, zmm29, zmm30 masked weights
 */
#define INTERLEAVE        2
#define SUMS          8
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_BYTES    64
#define OPERAND_BYTES 4
#include "micro/kernels/microkernel_frame.h"


.macro load_constants
    mov edi, 0x01010101
    vpbroadcastd zmm20, edi
    mov edi, 0x03030303
    vpbroadcastd zmm21, edi
    mov edi, 0x07070707
    vpbroadcastd zmm22, edi
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm23, edi
    mov edi, 0x1f1f1f1f
    vpbroadcastd zmm24, edi
    mov edi, 0x3f3f3f3f
    vpbroadcastd zmm25, edi
    mov edi, 0x7f7f7f7f
    vpbroadcastd zmm26, edi
.endm

.macro operand address
    vpbroadcastd zmm28, dword ptr [\address]
.endm

.macro dot sum, weights
    vpdpbusd zmm\sum, \weights, zmm28
.endm

.macro step base, address
    vmovdqa64 zmm31, [\address]
    vpandd zmm27, zmm31, zmm20
    vpandd zmm29, zmm31, zmm21
    vpandd zmm30, zmm31, zmm22
    dot %(\base), zmm27
    dot %(\base + 1), zmm29
    dot %(\base + 2), zmm30
    vpandd zmm27, zmm31, zmm23
    vpandd zmm29, zmm31, zmm24
    vpandd zmm30, zmm31, zmm25
    dot %(\base + 7), zmm31
    dot %(\base + 3), zmm27
    vpandd zmm27, zmm31, zmm26
    dot %(\base + 4), zmm29
    dot %(\base + 5), zmm30
    dot %(\base + 6), zmm27
.endm

    microkernel_functions
