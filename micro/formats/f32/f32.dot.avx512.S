/* SPDX-License-Identifier: BSD-3-Clause
 *
 * float, the baseline, at 512 bits: no up-convert, 2 vfmadd for 32 weights; what the kernel waits for is its loads.
 *
 *   Golden Cove        2 uops on p05: >= 1.0; a core whose zmm vfmadd are p0 alone: 2.0      Zen 4   each takes its pipe twice: 2.0
 *
 *   zmm0-11 accumulators   zmm28, zmm29 activations   zmm30, zmm31 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            128.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_ZMM
#define WEIGHT_BYTES     128
#define WEIGHT_FILL      FILL_F32
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/f32/f32.dot.inc"

.macro load_constants
    vmovups zmm28, [rsi + 0]
    vmovups zmm29, [rsi + 64]
.endm

.macro load_weights base, offset
    vmovups zmm30, [\base + \offset + 0]
    vmovups zmm31, [\base + \offset + 64]
.endm

.macro group
    group_of zmm30, zmm31
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 16; i++) {
        float weight = reference_f32(data->weights, 16 * dot + i);
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 16 * dot + i));
    }
}

#endif
