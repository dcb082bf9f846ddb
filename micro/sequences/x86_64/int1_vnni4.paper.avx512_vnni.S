/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2] at 512 bits: byte shuffle, test into a mask register (AND and compare in one), blend, dot
 * product for 64 weights (2 output vectors).
 * Golden Cove at 512 bits: vpshufb p5, vptestmb p5, vpblendmb p05, vpdpbusd p05: 4 uops on p05: >= 1.
 *
 *   zmm0-11 accumulators   zmm20 shuffle   zmm21 bit of each byte   zmm22, zmm23 values   zmm29 temporary
 *   zmm30 weights   zmm31 activations   k1 set bits
 */
#define FORMAT       "int1_vnni4"
#define SEQUENCE     "paper"
#define ORIGIN       "envelope"
#define CLAIMED      0.0
#define BYTES        4.0
#define GROUP_DOTS   1
#define GROUP_UOPS   4
#define LEAST        1
#define MOST         12
#define WEIGHT_BYTES 8
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 64
.Lspread: .set spread_byte, 0
    .rept 8
    .fill 8, 1, spread_byte
    .set spread_byte, spread_byte + 1
    .endr
.Lbits: .byte 1, 2, 4, 8, 16, 32, 64, 128

.macro load_constants
    vmovdqu64 zmm31, [rsi]
    vmovdqa64 zmm20, [rip + .Lspread]
    vpbroadcastq zmm21, [rip + .Lbits]
    mov eax, 0x2020202
    vpbroadcastd zmm22, eax
    vpxord zmm23, zmm23, zmm23
.endm

.macro load_weights base, offset
    vpbroadcastq zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, \source, zmm31
.endm

.macro group
    vpshufb zmm29, zmm30, zmm20
    vptestmb k1, zmm29, zmm21
    vpblendmb zmm29{k1}, zmm22, zmm23
    dot zmm29
.endm

.macro dot_facts
    fact BITS, 0, 0, 2, 0
.endm

    sequence_functions
