/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit of [envelope, III-B, Fig. 1] with Neon: 1 shift, 2 ANDs, 4 table look-ups and 4 dot products for 64 weights; the
 * shift of bytes makes the second AND unnecessary. sdot needs signed weights, and the tables give w = u - 2 at no cost.
 * Neoverse N1, N2: 10 uops on 2 vector pipes: >= 2.5. V1: tbl on 2 of 4 pipes: >= 1.25.
 *
 *   v0-11 accumulators   v16 weights   v18 activations   v20, v21 tables   v22 mask 0x0f   v24-v27 temporaries
 */
#define ORIGIN     "envelope"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define LEAST      4
#define MOST       12
#define CODE_OFFSETS
#include "micro/sequences/sequence_frame.h"

    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Llut01: .byte -2, -1, 0, 1, -2, -1, 0, 1, -2, -1, 0, 1, -2, -1, 0, 1
.Llut23: .byte -2, -2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1

.macro load_constants
    ldr q18, [x1]
    adr x9, .Llut01
    ldp q20, q21, [x9]
    movi v22.16b, 0x0f
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
.endm

.macro dot_into number, source
    sdot v\number\().4s, \source\().16b, v18.16b
.endm

.macro group
    and v24.16b, v16.16b, v22.16b
    ushr v25.16b, v16.16b, 4
    tbl v26.16b, {v20.16b}, v24.16b
    tbl v27.16b, {v21.16b}, v24.16b
    dot v26
    dot v27
    tbl v26.16b, {v20.16b}, v25.16b
    tbl v27.16b, {v21.16b}, v25.16b
    dot v26
    dot v27
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, -2, 0
    fact FIELD, 0x0c, 2, -2, 0
    fact FIELD, 0x30, 4, -2, 0
    fact FIELD, 0xc0, 6, -2, 0
.endm

    sequence_functions
