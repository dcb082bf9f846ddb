/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-up: 512 weights for 11 uops, against 15 of the prefix sums and 32 of the paper's sequence.
 *
 * Four activations times four bits have sixteen possible sums, of ten bits and a sign. vpermb takes its index from six bits
 * of each byte, so one 64-byte table holds the sums of four groups of four columns: two bits, constant per byte of a word,
 * name the group and the nibble names the sum. Sums are kept as an unsigned low and a signed high byte in two tables;
 * vpdpbusd with ones adds the four bytes of a word, which are the four groups of one row, into 32 bits:
 *
 *     sum u a = sum low + 256 sum high
 *
 * exactly, for any int8 activations: no 8-bit table entry is rounded, no 16-bit sum can overflow.
 * Ports of a Golden-Cove-class core at 512 bits: vpsrld p0, vpternlogd p05, vpermb p5, vpdpbusd p05: 11 uops on 2 ports for
 * 16 output vectors, gamma >= 0.344.
 *
 * The tables of a long K do not stay in L1 beside the weights that stream through it; eight registers of weights share each
 * load of them.
 *
 *   zmm0-15 sums of 4 panels: low and high of rows 0-15, of rows 16-31   zmm16 mask 0x0f   zmm17 group of each byte   zmm18 ones
 *   zmm20, zmm21 tables of the low nibbles, low and high bytes   zmm22, zmm23 of the high nibbles
 *   zmm28-31 indices and sums
 */
#define INTERLEAVE        4
#define SUMS          4
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_BYTES    128
#define OPERAND_BYTES 256
#include "micro/kernels/microkernel_frame.h"

/* (index and mask) or group */
#define AND_OR 0xea

.macro load_constants
    mov edi, 0x0f0f0f0f
    vpbroadcastd zmm16, edi
    mov edi, 0x30201000
    vpbroadcastd zmm17, edi
    mov edi, 0x01010101
    vpbroadcastd zmm18, edi
.endm

.macro operand address
    vmovdqa64 zmm20, [\address]
    vmovdqa64 zmm21, [\address + 64]
    vmovdqa64 zmm22, [\address + 128]
    vmovdqa64 zmm23, [\address + 192]
.endm

.macro add_low sum, bytes
    vpdpbusd zmm\sum, \bytes, zmm18
.endm

.macro add_high sum, bytes
    vpdpbusd zmm\sum, zmm18, \bytes
.endm

.macro half low, high, address
    vmovdqa64 zmm31, [\address]
    vpsrld zmm30, zmm31, 4
    vpternlogd zmm31, zmm16, zmm17, AND_OR
    vpternlogd zmm30, zmm16, zmm17, AND_OR
    vpermb zmm28, zmm31, zmm20
    vpermb zmm29, zmm31, zmm21
    add_low \low, zmm28
    add_high \high, zmm29
    vpermb zmm28, zmm30, zmm22
    vpermb zmm29, zmm30, zmm23
    add_low \low, zmm28
    add_high \high, zmm29
.endm

.macro step base, address
    half %(\base), %(\base + 1), \address
    half %(\base + 2), %(\base + 3), \address + 64
.endm

    microkernel_functions
