/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes: three ANDs and four vpdpbusd for 256 weights.
 *
 * The four 2-bit fields u0..u3 of a byte meet the same activation, so the byte can be multiplied before it is taken
 * apart. With S_j = sum u_j a over the columns so far,
 *
 *     masked by 0x03: S0     by 0x0f: S0 + 4 S1     by 0x3f: S0 + 4 S1 + 16 S2     unmasked: ... + 64 S3
 *
 * and the differences of neighbours, shifted right, are the four rows. Nothing is shifted or looked up in the loop, and
 * the top plane costs no AND. Sums are modulo 2^32; the differences are exact while |64 S3| < 2^31.
 * Ports of a Golden-Cove-class core at 512 bits: vpandd p05, vpdpbusd p05: 7 uops on 2 ports for 8 output vectors,
 * gamma >= 0.4375.
 *
 *   zmm0-11 sums of 3 panels   zmm20-22 masks   zmm28 activations   zmm29-31, zmm27 weights, masked weights
 */
#define INTERLEAVE        3
#define SUMS          4
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_BYTES    64
#define OPERAND_BYTES 4
#include "micro/kernels/microkernel_frame.h"


.macro load_constants
    mov edi, 0x03030303
    vpbroadcastd zmm20, edi
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm21, edi
    mov edi, 0x3f3f3f3f
    vpbroadcastd zmm22, edi
.endm

.macro operand address
    vpbroadcastd zmm28, dword ptr [\address]
.endm

.macro dot sum, weights
    vpdpbusd zmm\sum, \weights, zmm28
.endm

.macro step base, address
    vmovdqa64 zmm31, [\address]
    vpandd zmm29, zmm31, zmm20
    vpandd zmm30, zmm31, zmm21
    vpandd zmm27, zmm31, zmm22
    dot %(\base + 3), zmm31
    dot %(\base), zmm29
    dot %(\base + 1), zmm30
    dot %(\base + 2), zmm27
.endm

    microkernel_functions
