/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit as [envelope, III-B] does 2-bit: 1 shift, 2 ANDs, 2 byte shuffles and 2 dot products for 64 weights. The table gives
 * u = w + 8. Without VNNI each dot product is three instructions.
 *
 *     register, 32 bytes = [m8][k4] bytes of two nibbles: low rows 0-7, high rows 8-15
 *
 *   Golden Cove        11 uops on p015; vpmaddubsw, vpmaddwd, vpsrlw p01: 5: >= 1.833
 *   Zen 3              11 on 4 pipes: >= 1.375
 *
 *   ymm0-5 accumulators   ymm6 ones   ymm7 product   ymm9 table   ymm10 mask 0x0f   ymm12, ymm13 temporaries   ymm14 weights
 *   ymm15 activations
 */
#define FORMAT     "int4_vnni4"
#define SEQUENCE   "paper"
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define GROUP_UOPS 11
#define LEAST      2
#define MOST       6
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Lvalues: .rept 2
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .endr

.macro load_constants
    vmovdqa ymm9, [rip + .Lvalues]
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov eax, 0x10001
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
    vmovdqu ymm15, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

/* unsigned times signed bytes to words, words to double words, add: no intermediate sum leaves 16 bits */
.macro dot_into number, source
    vpmaddubsw ymm7, \source, ymm15
    vpmaddwd ymm7, ymm7, ymm6
    vpaddd ymm\number, ymm\number, ymm7
.endm

.macro group
    vpsrlw ymm12, ymm14, 4
    vpand ymm13, ymm14, ymm10
    vpand ymm12, ymm12, ymm10
    vpshufb ymm13, ymm9, ymm13
    vpshufb ymm12, ymm9, ymm12
    dot ymm13
    dot ymm12
.endm

.macro dot_facts
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0xf0, 4, 0, 0
.endm

    sequence_functions
