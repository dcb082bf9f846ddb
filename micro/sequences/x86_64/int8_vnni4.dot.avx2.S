/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8 without VNNI: the magnitude of w times a with the sign of w, because vpmaddubsw takes one unsigned operand. Exact for
 * activations in [-127, 127].
 * Golden Cove: vpabsb p01, vpsignb p01, vpmaddubsw p01, vpmaddwd p01, vpaddd p015: 4 uops on 2 ports: gamma >= 2.
 *
 *   ymm0-7 accumulators   ymm11-12 temporaries   ymm13 ones   ymm14 weights   ymm15 activations
 */
#define FORMAT     "int8_vnni4"
#define SEQUENCE   "dot"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      32.0
#define GROUP_DOTS 1
#define GROUP_UOPS 5
#define LEAST      1
#define MOST       8
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    vmovdqu ymm15, [rsi]
    mov eax, 0x10001
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    vpabsb ymm11, \source
    vpsignb ymm12, ymm15, \source
    vpmaddubsw ymm11, ymm11, ymm12
    vpmaddwd ymm11, ymm11, ymm13
    vpaddd ymm\number, ymm\number, ymm11
.endm

.macro group
    dot ymm14
.endm

.macro dot_facts
    fact FIELD, SIGNED_BYTE, 0, 0, 0
.endm

    sequence_functions
