/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Half precision, a 16-bit baseline: sixteen words converted to floats, multiplied. 2 vcvtph2ps and 2 vfmadd for 32 weights.
 *
 *   Golden Cove        vcvtph2ps of a register p0 and p5, vfmadd p05: 6 uops on p05: >= 3.0; with vfmadd on p0 alone 4.0
 *
 *   zmm0-11 accumulators   zmm28 floats   ymm30, ymm31 weights
 */
#define ORIGIN           "envelope"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_ZMM
#define WEIGHT_FILL      FILL_F16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu64 ymm30, [\base + \offset]
    vmovdqu64 ymm31, [\base + \offset + 32]
.endm

/* source is the memory operand of sixteen activations */
.macro dot_into number, source
    vfmadd231ps zmm\number, zmm28, \source
.endm

.macro group
    vcvtph2ps zmm28, ymm30
    dot [rsi]
    vcvtph2ps zmm28, ymm31
    dot [rsi + 64]
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
