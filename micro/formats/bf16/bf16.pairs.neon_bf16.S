/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16 where the core multiplies it: 4 bfdot for 32 weights, no up-convert; activations are bfloat16 too. 4 uops.
 * Neoverse N2: 2 pipes: >= 2.0. V2: 4 pipes: >= 1.0. V1: llvm-mca has 4 cycles from sum to sum, and 12 accumulators: 1.33.
 *
 *   v0-11 accumulators   v12-v15 weights   v16-v19 activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_FILL  FILL_BF16
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 64
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
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

/* source: weights, then their activations */
.macro multiply_add number, weights, activations
    bfdot v\number\().4s, \weights\().8h, \activations\().8h
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    dot v12, v16
    dot v13, v17
    dot v14, v18
    dot v15, v19
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 8; i++) {
        float weight = reference_bf16(reference_word(data->weights, 8 * dot + i));
        reference_add(sum, magnitude, i / 2, weight * reference_bf16(reference_word(data->activations, 8 * dot + i)));
    }
}
#endif
