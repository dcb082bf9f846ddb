/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IEEE single precision on 256 bits: 4 fmla for 32 weights, no up-convert. 4 uops.
 * Neoverse V1: 2 pipes of 256 bits: >= 2.0, as 4 of 128 take.
 *
 *   z0-7 accumulators   z12-z15 weights   z16-z19 activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            128.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     128
#define WEIGHT_FILL      FILL_F32
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
    ldr z12, [x9, #0, mul vl]
    ldr z13, [x9, #1, mul vl]
    ldr z14, [x9, #2, mul vl]
    ldr z15, [x9, #3, mul vl]
.endm

/* source: weights, then their activations */
.macro multiply_add number, weights, activations
    fmla z\number\().s, p0/m, \weights\().s, \activations\().s
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    dot z12, z16
    dot z13, z17
    dot z14, z18
    dot z15, z19
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 8; i++) {
        float weight = reference_f32(data->weights, 8 * dot + i);
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 8 * dot + i));
    }
}
#endif
