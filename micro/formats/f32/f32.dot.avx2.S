/* SPDX-License-Identifier: BSD-3-Clause
 *
 * float, the baseline: no up-convert, 4 vfmadd for 32 weights; what the kernel waits for is its loads.
 *
 *   Golden Cove, Skylake, Zen 3        4 uops on two pipes: >= 2.0
 *
 *   ymm0-7 accumulators   ymm8-11 activations   ymm12-15 weights
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
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/f32/f32.dot.inc"

.macro load_constants
    vmovups ymm8, [rsi + 0]
    vmovups ymm9, [rsi + 32]
    vmovups ymm10, [rsi + 64]
    vmovups ymm11, [rsi + 96]
.endm

.macro load_weights base, offset
    vmovups ymm12, [\base + \offset + 0]
    vmovups ymm13, [\base + \offset + 32]
    vmovups ymm14, [\base + \offset + 64]
    vmovups ymm15, [\base + \offset + 96]
.endm

.macro group
    group_of ymm12, ymm13, ymm14, ymm15
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
