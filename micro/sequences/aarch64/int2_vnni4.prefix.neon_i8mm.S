/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, prefix sums: masked by 0x03, 0x0f, 0x3f and unmasked, the byte times one activation gives S0, S0 + 4 S1, ...;
 * neighbours are subtracted once at the end. 3 ANDs and 4 dot products for 64 weights.
 * Neoverse N2: 7 uops on 2 vector pipes: >= 1.75. V1, V2: 4 pipes: >= 0.875.
 *
 *   v0-11 accumulators   v16 weights   v18 activations   v20-v22 masks   v24-v26 fields
 */
#define FORMAT     "int2_vnni4"
#define SEQUENCE   "prefix"
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_UOPS 7
#define LEAST      4
#define MOST       12
#include "micro/sequences/sequence_frame.h"

.macro load_constants
    ldr q18, [x1]
    movi v20.16b, 0x03
    movi v21.16b, 0x0f
    movi v22.16b, 0x3f
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
    dot v26
    dot v16
.endm

.macro dot_facts
    fact FIELD, 0x03, 0, 0, 0
    fact FIELD, 0x0f, 0, 0, 0
    fact FIELD, 0x3f, 0, 0, 0
    fact FIELD, 0xff, 0, 0, 0
.endm

    sequence_functions
