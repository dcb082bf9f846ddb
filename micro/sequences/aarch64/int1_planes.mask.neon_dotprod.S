/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, masks in place: seven bits stay where they are, the upper one is shifted down for sdot.
 * 7 ANDs, 1 shift and 8 dot products for 128 weights.
 * Neoverse N1, N2: 16 uops on 2 vector pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
 *
 *   v0-11 accumulators   v16 weights   v18 activations   v20-v26 masks   v28-v31 bits
 */
#define FORMAT     "int1_planes"
#define SEQUENCE   "mask"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define GROUP_UOPS 16
#define LEAST      8
#define MOST       12
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    ldr q18, [x1]
    movi v20.16b, 0x01
    movi v21.16b, 0x02
    movi v22.16b, 0x04
    movi v23.16b, 0x08
    movi v24.16b, 0x10
    movi v25.16b, 0x20
    movi v26.16b, 0x40
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
.endm

.macro dot_into number, source
    sdot v\number\().4s, \source\().16b, v18.16b
.endm

.macro group
    and v28.16b, v16.16b, v20.16b
    and v29.16b, v16.16b, v21.16b
    dot v28
    and v30.16b, v16.16b, v22.16b
    dot v29
    and v31.16b, v16.16b, v23.16b
    dot v30
    and v28.16b, v16.16b, v24.16b
    dot v31
    and v29.16b, v16.16b, v25.16b
    dot v28
    and v30.16b, v16.16b, v26.16b
    dot v29
    ushr v31.16b, v16.16b, 7
    dot v30
    dot v31
.endm

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x02, 0, 0, 0
    fact FIELD, 0x04, 0, 0, 0
    fact FIELD, 0x08, 0, 0, 0
    fact FIELD, 0x10, 0, 0, 0
    fact FIELD, 0x20, 0, 0, 0
    fact FIELD, 0x40, 0, 0, 0
    fact FIELD, 0x80, 7, 0, 0
.endm

    sequence_functions
