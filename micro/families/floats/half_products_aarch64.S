/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halves where the core multiplies them, for 32 weights, no up-convert; activations are halves too.
 *
 *   bf16.pairs   4 bfdot. Neoverse N2: 2 pipes: >= 2.0. V2: 4 pipes: >= 1.0. V1: llvm-mca has 4 cycles from sum to sum, and 12 accumulators: 1.33
 *     SVE        2 bfdot. V1: 2 pipes of 256 bits: >= 1.0, as 4 of 128 take
 *   f16.fmlal    4 fmlal and 4 fmlal2, which add their products to floats. V2: 4 pipes: >= 2.0, where widening takes 8.0. V1: llvm-mca has 5 cycles from sum
 *                to sum, and 12 accumulators: 3.33
 *
 *   v0-11, z0-11 accumulators   v12-v15, z12, z13 weights   v16-v19, z16, z17 activations
 */
#ifdef WEIGHTS_ARE_F16
#define WEIGHT_FILL     FILL_F16
#define ACTIVATION_FILL FILL_F16
#define GROUP_DOTS      8
#else
#define WEIGHT_FILL     FILL_BF16
#define ACTIVATION_FILL FILL_BF16
#define GROUP_DOTS      (64 / VECTOR_BYTES)
#endif
#define ORIGIN           "kneepoint"
#define BYTES            64.0
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 64
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef VECTOR_IS_SVE256
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

.macro group
    dot z12, z16
    dot z13, z17
.endm
#else
.macro load_constants
    ldp q16, q17, [x1]
    ldp q18, q19, [x1, 32]
.endm

.macro load_weights base, offset
    ldr q12, [\base, \offset + 0]
    ldr q13, [\base, \offset + 16]
    ldr q14, [\base, \offset + 32]
    ldr q15, [\base, \offset + 48]
.endm

#ifdef WEIGHTS_ARE_F16
/* source: fmlal or fmlal2, weights, their activations */
.macro multiply_add number, product, weights, activations
    \product v\number\().4s, \weights\().4h, \activations\().4h
.endm

.macro eight weights, activations
    dot fmlal, \weights, \activations
    dot fmlal2, \weights, \activations
.endm
#else
.macro multiply_add number, weights, activations
    bfdot v\number\().4s, \weights\().8h, \activations\().8h
.endm

.macro eight weights, activations
    dot \weights, \activations
.endm
#endif

.macro group
    eight v12, v16
    eight v13, v17
    eight v14, v18
    eight v15, v19
.endm
#endif

.macro dot_into number, source
    multiply_add \number, \source
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
#ifdef WEIGHTS_ARE_F16
    for (unsigned i = 0; i < 4; i++) {
        float weight = reference_f16(reference_word(data->weights, 4 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f16(reference_word(data->activations, 4 * dot + i)));
    }
#else
    for (unsigned i = 0; i < VECTOR_BYTES / 2; i++) {
        unsigned at = VECTOR_BYTES / 2 * dot + i;
        float weight = reference_bf16(reference_word(data->weights, at));
        reference_add(sum, magnitude, i / 2, weight * reference_bf16(reference_word(data->activations, at)));
    }
#endif
}
#endif
