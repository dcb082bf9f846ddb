/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IEEE single precision: 8 fmla for 32 weights, no up-convert. 8 uops.
 * Neoverse N1: 2 pipes: >= 4.0. V1, V2: 4 pipes: >= 2.0.
 *
 *   v0-7 accumulators   v12-v15 or, of f32, v24-v31 weights   v16-v23 activations   v24, v25 widened
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            128.0
#define GROUP_DOTS       8
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     128
#define WEIGHT_FILL      FILL_F32
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q16, q17, [x1]
    ldp q18, q19, [x1, 32]
    ldp q20, q21, [x1, 64]
    ldp q22, q23, [x1, 96]
.endm

.macro load_weights base, offset
    ldr q24, [\base, \offset + 0]
    ldr q25, [\base, \offset + 16]
    ldr q26, [\base, \offset + 32]
    ldr q27, [\base, \offset + 48]
    ldr q28, [\base, \offset + 64]
    ldr q29, [\base, \offset + 80]
    ldr q30, [\base, \offset + 96]
    ldr q31, [\base, \offset + 112]
.endm

/* source: weights, then their activations */
.macro multiply_add number, weights, activations
    fmla v\number\().4s, \weights\().4s, \activations\().4s
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    dot v24, v16
    dot v25, v17
    dot v26, v18
    dot v27, v19
    dot v28, v20
    dot v29, v21
    dot v30, v22
    dot v31, v23
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 4; i++) {
        float weight = reference_f32(data->weights, 4 * dot + i);
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 4 * dot + i));
    }
}
#endif
