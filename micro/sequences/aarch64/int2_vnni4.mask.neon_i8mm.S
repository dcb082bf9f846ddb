/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks in place: usdot takes the fields unsigned, so all four stay where they are and their accumulators undo the
 * power of two once at the end. 4 ANDs and 4 dot products for 64 weights.
 * Neoverse N2: 8 uops on 2 vector pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
 *
 *   v0-11 accumulators   v16 weights   v18 activations   v20-v23 masks   v24-v27 fields
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "mask"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 8
#define LEAST      4
#define MOST       12
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    ldr q18, [x1]
    movi v20.16b, 0x03
    movi v21.16b, 0x0c
    movi v22.16b, 0x30
    movi v23.16b, 0xc0
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
.endm

.macro dot_into number, source
    usdot v\number\().4s, \source\().16b, v18.16b
.endm

.macro group
    and v24.16b, v16.16b, v20.16b
    and v25.16b, v16.16b, v21.16b
    dot v24
    and v26.16b, v16.16b, v22.16b
    dot v25
    and v27.16b, v16.16b, v23.16b
    dot v26
    dot v27
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0c, 0, 0, 0
    fact FIELD, 0x30, 0, 0, 0
    fact FIELD, 0xc0, 0, 0, 0
.endm

    sequence_functions
