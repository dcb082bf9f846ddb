/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-B and III-C, Fig. 1] at 512 bits: 1 shift, 2 ANDs, 4 byte shuffles, 4 dot products for
 * 256 weights. A register holds columns 0-3 of 32 rows in its lower half and columns 4-7 in its upper half.
 *
 *   zmm0-11 sums of 3 panels   zmm20 table of bits 0-1   zmm21 table of bits 2-3   zmm22 mask 0x0f   zmm28 activations
 *   k1 lower half
 */
#define INTERLEAVE        3
#define SUMS          4
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_BYTES    64
#define OPERAND_BYTES 8
#include "micro/kernels/microkernel_frame.h"


    .section .rodata
    .balign 64
.Llut01: .byte 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3
.Llut23: .byte 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3

.macro load_constants
    vbroadcasti32x4 zmm20, [rip + .Llut01]
    vbroadcasti32x4 zmm21, [rip + .Llut23]
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm22, edi
    mov edi, 0xff
    kmovw k1, edi
.endm

.macro operand address
    vpbroadcastd zmm28, dword ptr [\address + 4]
    vpbroadcastd zmm28{k1}, dword ptr [\address]
.endm

.macro dot sum, weights
    vpdpbusd zmm\sum, \weights, zmm28
.endm

.macro step base, address
    vmovdqa64 zmm31, [\address]
    vpsrld zmm30, zmm31, 4
    vpandd zmm31, zmm31, zmm22
    vpandd zmm30, zmm30, zmm22
    vpshufb zmm29, zmm20, zmm31
    vpshufb zmm31, zmm21, zmm31
    vpshufb zmm27, zmm20, zmm30
    vpshufb zmm30, zmm21, zmm30
    dot %(\base), zmm29
    dot %(\base + 1), zmm31
    dot %(\base + 2), zmm27
    dot %(\base + 3), zmm30
.endm

    microkernel_functions
