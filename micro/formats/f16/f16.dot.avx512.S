/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IEEE half precision, the 16-bit baseline: 2 vcvtph2ps and 2 vfmadd for 32 weights. The up-convert is exact, at 512 bits.
 *
 *   Golden Cove        6 uops; vcvtph2ps p5 and p0: >= 2.0
 *
 *   zmm0-11 accumulators   ymm26, ymm27 weights   zmm28, zmm29 activations   zmm30, zmm31 widened
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_ZMM
#define WEIGHT_BYTES     64
#define WEIGHT_FILL      FILL_F16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/f16/f16.dot.inc"

.macro load_constants
    vmovups zmm28, [rsi + 0]
    vmovups zmm29, [rsi + 64]
.endm

.macro load_weights base, offset
    vmovdqu64 ymm26, [\base + \offset + 0]
    vmovdqu64 ymm27, [\base + \offset + 32]
.endm

.macro group
    group_of ymm26, ymm27, zmm28, zmm29
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 16; i++) {
        float weight = reference_f16(reference_word(data->weights, 16 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 16 * dot + i));
    }
}

#endif
