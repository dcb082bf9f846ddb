/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit as [envelope, III-B] does 2-bit: 1 shift, 2 ANDs, 2 byte shuffles and 2 dot products for 64 weights. The table gives
 * the signed weight itself, vpdpbssd multiplies.
 *
 *     register, 32 bytes = [m8][k4] bytes of two nibbles: low rows 0-7, high rows 8-15
 *
 *   ymm0-8 accumulators   ymm9 table   ymm10 mask 0x0f   ymm12, ymm13 temporaries   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int4_vnni4"
#define SEQUENCE   "paper"
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      16.0
#define GROUP_DOTS 2
#define GROUP_UOPS 7
#define LEAST      2
#define MOST       9
#include "micro/sequences/sequence_frame.h"

    .section .rodata
    .balign 32
.Lvalues: .rept 2
    .byte -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7
    .endr

.macro load_constants
    vmovdqa ymm9, [rip + .Lvalues]
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    vmovdqu ymm15, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbssd ymm\number, \source, ymm15
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
    fact FIELD, 0x0f, 0, -8, 0
    fact FIELD, 0xf0, 4, -8, 0
.endm

    sequence_functions
