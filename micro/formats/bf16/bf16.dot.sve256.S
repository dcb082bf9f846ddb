/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16 on 256 bits: 4 shifts, of halves that loads bring to words, and 4 fmla for 32 weights. The up-convert is exact. 8 uops.
 * Neoverse V1: 2 pipes of 256 bits: >= 4.0, as 4 of 128 take.
 *
 *   z0-7 accumulators   z12-z15 weights   z16-z19 activations   z24 widened
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     64
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ptrue p0.b
    ldr z16, [x1]
    ldr z17, [x1, #1, mul vl]
    ldr z18, [x1, #2, mul vl]
    ldr z19, [x1, #3, mul vl]
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ld1h {z12.s}, p0/z, [x9, #0, mul vl]
    ld1h {z13.s}, p0/z, [x9, #1, mul vl]
    ld1h {z14.s}, p0/z, [x9, #2, mul vl]
    ld1h {z15.s}, p0/z, [x9, #3, mul vl]
.endm

/* source: weights, then their activations */
.macro multiply_add number, weights, activations
    fmla z\number\().s, p0/m, \weights\().s, \activations\().s
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    lsl z24.s, z12.s, #16
    dot z24, z16
    lsl z24.s, z13.s, #16
    dot z24, z17
    lsl z24.s, z14.s, #16
    dot z24, z18
    lsl z24.s, z15.s, #16
    dot z24, z19
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 8; i++) {
        float weight = reference_bf16(reference_word(data->weights, 8 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 8 * dot + i));
    }
}
#endif
