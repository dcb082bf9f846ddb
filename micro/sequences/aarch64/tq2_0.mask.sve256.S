/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 (layout: micro/sequences/ternary_block.h), masks, on 256 bits: three fields stay in their place, the upper one is shifted down; sums of
 * weight 1, 4 and 16 are joined once a block. The sum of the activations is where the first begins. A block of codes is two registers.
 * 35 uops issued: 26 of arithmetic, 9 loads.
 * Neoverse V1: 2 pipes of 256 bits: >= 1.63, where 4 of 128 take 1.25.
 *
 *   z0-11 accumulators   z12, z13, z23 weights, scale   z18 scale of the activations   z20-z22 masks   z17, z24, z27 temporaries
 *   z28, z29, z31 sums of weight 1, 4, 16
 */
#define FORMAT           "tq2_0"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       1
#define GROUP_UOPS       35
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     66
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 332
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ptrue p0.b
    add x9, x1, 288
    ld1rw {z18.s}, p0/z, [x9]
    mov z20.b, #0x03
    mov z21.b, #0x0c
    mov z22.b, #0x30
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ldr z12, [x9]
    ldr z13, [x9, #1, mul vl]
    ld1rh {z23.s}, p0/z, [x9, 64]
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z27.s
.endm

.macro group
    ldr s28, [x1, 324]
    mov z29.s, #0
    mov z31.s, #0
    fcvt z27.s, p0/m, z23.h
    ldr z17, [x1, #0, mul vl]
    and z24.d, z12.d, z20.d
    sdot z28.s, z24.b, z17.b
    ldr z17, [x1, #1, mul vl]
    and z24.d, z12.d, z21.d
    sdot z29.s, z24.b, z17.b
    ldr z17, [x1, #2, mul vl]
    and z24.d, z12.d, z22.d
    sdot z31.s, z24.b, z17.b
    ldr z17, [x1, #3, mul vl]
    lsr z24.b, z12.b, #6
    sdot z28.s, z24.b, z17.b
    ldr z17, [x1, #4, mul vl]
    and z24.d, z13.d, z20.d
    sdot z28.s, z24.b, z17.b
    ldr z17, [x1, #5, mul vl]
    and z24.d, z13.d, z21.d
    sdot z29.s, z24.b, z17.b
    ldr z17, [x1, #6, mul vl]
    and z24.d, z13.d, z22.d
    sdot z31.s, z24.b, z17.b
    ldr z17, [x1, #7, mul vl]
    lsr z24.b, z13.b, #6
    sdot z28.s, z24.b, z17.b
    asr z29.s, z29.s, #2
    fmul z27.s, z27.s, z18.s
    asr z31.s, z31.s, #4
    add z28.s, z28.s, z29.s
    add z28.s, z28.s, z31.s
    scvtf z28.s, p0/m, z28.s
    dot z28
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
    memcpy(&scale, data->weights + 64, 2);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        int32_t code = tq2_0_code(data->weights[tq2_0_byte(weight)], weight);
        whole[weight % 32 / 4] += code * activations.values[weight];
        whole[0] -= activations.values[weight];
    }
    for (uint32_t lane = 0; lane < 8; lane++)
        reference_add(sum, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 64, 1, activations, seed);
}
#endif
