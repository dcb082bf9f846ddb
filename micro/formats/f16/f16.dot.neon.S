/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IEEE half precision, the 16-bit baseline: 4 fcvtl, 4 fcvtl2 and 8 fmla for 32 weights. The up-convert is exact. 16 uops.
 * Neoverse N1: fcvtl on one of 2 pipes, one in 2 cycles: >= 16.0. V1, V2: on 2 of 4 pipes, one a cycle: >= 8.0 [llvm-mca's models].
 *
 *   v0-7 accumulators   v12-v15 or, of f32, v24-v31 weights   v16-v23 activations   v24, v25 widened
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       8
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     64
#define WEIGHT_FILL      FILL_F16
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
    ldr q12, [\base, \offset + 0]
    ldr q13, [\base, \offset + 16]
    ldr q14, [\base, \offset + 32]
    ldr q15, [\base, \offset + 48]
.endm

/* source: weights, then their activations */
.macro multiply_add number, weights, activations
    fmla v\number\().4s, \weights\().4s, \activations\().4s
.endm

.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro group
    fcvtl v24.4s, v12.4h
    fcvtl2 v25.4s, v12.8h
    dot v24, v16
    dot v25, v17
    fcvtl v24.4s, v13.4h
    fcvtl2 v25.4s, v13.8h
    dot v24, v18
    dot v25, v19
    fcvtl v24.4s, v14.4h
    fcvtl2 v25.4s, v14.8h
    dot v24, v20
    dot v25, v21
    fcvtl v24.4s, v15.4h
    fcvtl2 v25.4s, v15.8h
    dot v24, v22
    dot v25, v23
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 4; i++) {
        float weight = reference_f16(reference_word(data->weights, 4 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 4 * dot + i));
    }
}
#endif
