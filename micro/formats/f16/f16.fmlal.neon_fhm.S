/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IEEE half precision where the core adds its products to floats: 4 fmlal and 4 fmlal2 for 32 weights, no up-convert; activations are halves
 * too. 8 uops.
 * Neoverse V2: 4 pipes: >= 2.0, where widening takes 8.0. V1: llvm-mca has 5 cycles from sum to sum, and 12 accumulators: 3.33.
 *
 *   v0-11 accumulators   v12-v15 weights   v16-v19 activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       8
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define WEIGHT_FILL      FILL_F16
#define ACTIVATION_FILL  FILL_F16
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

/* source: fmlal or fmlal2, weights, their activations */
.macro multiply_add number, product, weights, activations
    \product v\number\().4s, \weights\().4h, \activations\().4h
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    dot fmlal, v12, v16
    dot fmlal2, v12, v16
    dot fmlal, v13, v17
    dot fmlal2, v13, v17
    dot fmlal, v14, v18
    dot fmlal2, v14, v18
    dot fmlal, v15, v19
    dot fmlal2, v15, v19
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 4; i++) {
        float weight = reference_f16(reference_word(data->weights, 4 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f16(reference_word(data->activations, 4 * dot + i)));
    }
}
#endif
