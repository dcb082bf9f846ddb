/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IQ4_NL, one row at a time: both halves of a register have the 16 bytes, one is shifted, and tbl looks up the values of 32 codes. 9 uops.
 * Neoverse V1: 2 pipes of 256 bits: >= 4.50, where 4 of 128 take 2.75.
 *
 *   z0-11 accumulators   z12, z13 weights, scale   z16, z18 activations, scale   z20 mask   z21 codebook   z22 shift
 *   z24, z26, z27 temporaries
 */
#define FORMAT           "iq4_nl"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     18
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       9
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro load_constants
    ptrue p0.b
    ptrue p1.b, vl16
    ldr z16, [x1]
    ld1rw {z18.s}, p0/z, [x1, 36]
    mov z20.b, #0x0f
    adr x9, .Lcodebook
    ld1rqb {z21.b}, p0/z, [x9]
    mov z22.d, #4
    mov z22.d, p1/m, #0
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ld1rh {z13.s}, p0/z, [x9]
    add x9, x9, 2
    ld1rqb {z12.b}, p0/z, [x9]
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z27.s
.endm

.macro group
    lsr z24.b, z12.b, z22.d
    mov z26.s, #0
    fcvt z27.s, p0/m, z13.h
    and z24.d, z24.d, z20.d
    tbl z24.b, {z21.b}, z24.b
    fmul z27.s, z27.s, z18.s
    sdot z26.s, z24.b, z16.b
    scvtf z26.s, p0/m, z26.s
    dot z26
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_ROW, 8, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 8, seed);
}
#endif
