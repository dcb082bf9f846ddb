/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 (layout: micro/sequences/ternary_block.h) on 256 bits: bytes times powers of 3 bring each digit to the top in turn, where umulh by 3
 * takes it out, 0 to 2; the sum of the activations is where the sum begins. The 16 bytes of the second part are in both halves of a register,
 * which makes two digits at a time of them, and their fifth stands beside the four digits of four bytes.
 * 8 umulh, 7 mul, 8 copies of what these would overwrite, 8 sdot, 4 for the scale. 44 uops issued: 35 of arithmetic, 9 loads.
 * Neoverse V1: 2 pipes of 256 bits: >= 2.19, where 4 of 128 take 3.56.
 *
 *   z0-11 accumulators   z12-z14, z16 weights, scale   z18 scale of the activations   z20-z24 powers of 3   z25, z26, z29 powers of halves
 *   z17, z19, z27 temporaries   z31 sum
 */
#define FORMAT           "tq1_0"
#define SEQUENCE         "decode"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       1
#define GROUP_UOPS       44
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     54
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 332
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lpowers: .byte 1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27

/* lower in the lower half, upper in the upper one */
.macro set_halves to, lower, upper
    mov z\to\().b, #\upper
    mov z19.b, #\lower
    sel z\to\().b, p1, z19.b, z\to\().b
.endm

.macro load_constants
    ptrue p0.b
    ptrue p1.b, vl16
    add x9, x1, 288
    ld1rw {z18.s}, p0/z, [x9]
    mov z20.b, #3
    mov z21.b, #3
    mov z22.b, #9
    mov z23.b, #27
    mov z24.b, #81
    set_halves 25, 1, 3
    set_halves 26, 9, 27
    adr x9, .Lpowers
    ld1rqb {z29.b}, p0/z, [x9]
    sel z29.b, p1, z24.b, z29.b
.endm

/* z14: the 16 bytes, then the four of four digits */
.macro load_weights base, offset
    add x9, \base, \offset
    ldr z12, [x9]
    ld1rw {z14.s}, p0/z, [x9, 48]
    ld1rh {z16.s}, p0/z, [x9, 52]
    add x9, x9, 32
    ld1rqb {z13.b}, p0/z, [x9]
    sel z14.b, p1, z13.b, z14.b
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z19.s
.endm

.macro group
    ldr s31, [x1, 324]
    fcvt z19.s, p0/m, z16.h
    ldr z17, [x1, #0, mul vl]
    movprfx z27, z12
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z12
    mul z27.b, p0/m, z27.b, z21.b
    ldr z17, [x1, #1, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z12
    mul z27.b, p0/m, z27.b, z22.b
    ldr z17, [x1, #2, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z12
    mul z27.b, p0/m, z27.b, z23.b
    ldr z17, [x1, #3, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z12
    mul z27.b, p0/m, z27.b, z24.b
    ldr z17, [x1, #4, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z13
    mul z27.b, p0/m, z27.b, z25.b
    ldr z17, [x1, #5, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z13
    mul z27.b, p0/m, z27.b, z26.b
    ldr z17, [x1, #6, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    movprfx z27, z14
    mul z27.b, p0/m, z27.b, z29.b
    ldr z17, [x1, #7, mul vl]
    umulh z27.b, p0/m, z27.b, z20.b
    sdot z31.s, z27.b, z17.b
    fmul z19.s, z19.s, z18.s
    scvtf z31.s, p0/m, z31.s
    dot z31
.endm

    sequence_functions
#else
#include "micro/sequences/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    struct ternary_activations activations;
    uint16_t scale;
    int32_t whole[8] = {0};
    (void)dot;
    memcpy(&activations, data->activations, sizeof activations);
    memcpy(&scale, data->weights + 52, 2);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        int32_t code = tq1_0_code(data->weights[tq1_0_byte(weight)], weight);
        whole[weight % 32 / 4] += code * activations.values[weight];
        whole[0] -= activations.values[weight];
    }
    for (uint32_t lane = 0; lane < 8; lane++)
        reference_add(sum, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 52, 1, activations, seed);
}
#endif
