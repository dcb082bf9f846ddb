/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16 where the core multiplies it, on 256 bits: 2 bfdot for 32 weights, no up-convert; activations are bfloat16 too. 2 uops.
 * Neoverse V1: 2 pipes of 256 bits: >= 1.0, as 4 of 128 take.
 *
 *   z0-11 accumulators   z12, z13 weights   z16, z17 activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_FILL  FILL_BF16
#define VECTOR_IS_SVE256
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 64
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldr z16, [x1]
    ldr z17, [x1, #1, mul vl]
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ldr z12, [x9]
    ldr z13, [x9, #1, mul vl]
.endm

/* source: weights, then their activations */
.macro multiply_add number, weights, activations
    bfdot z\number\().s, \weights\().h, \activations\().h
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    dot z12, z16
    dot z13, z17
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 16; i++) {
        float weight = reference_bf16(reference_word(data->weights, 16 * dot + i));
        reference_add(sum, magnitude, i / 2, weight * reference_bf16(reference_word(data->activations, 16 * dot + i)));
    }
}
#endif
