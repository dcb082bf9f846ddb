/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit, eight planes a byte, prefix sums: masked by 0x01, 0x03, 0x07, ... and unmasked, neighbours subtracted once at the
 * end. 7 ANDs and 8 dot products for 128 weights.
 * Neoverse N2: 15 uops on 2 vector pipes: >= 1.875. V1, V2: 4 pipes: >= 0.94.
 *
 *   v0-11 accumulators   v16 weights   v18 activations   v20-v26 masks   v28-v31 bits
 */
#define FORMAT     "int1_planes"
#define SEQUENCE   "prefix"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define GROUP_UOPS 15
#define LEAST      8
#define MOST       12
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    ldr q18, [x1]
    movi v20.16b, 0x01
    movi v21.16b, 0x03
    movi v22.16b, 0x07
    movi v23.16b, 0x0f
    movi v24.16b, 0x1f
    movi v25.16b, 0x3f
    movi v26.16b, 0x7f
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
.endm

.macro dot_into number, source
    usdot v\number\().4s, \source\().16b, v18.16b
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
    dot v30
    dot v16
.endm

.macro dot_facts
    fact FIELD, 0x01, 0, 0, 0
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x07, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x1f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0x7f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
