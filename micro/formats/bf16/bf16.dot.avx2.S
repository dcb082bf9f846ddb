/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16 as the kernel has it: 4 vpmovzxwd, 4 vpslld and 4 vfmadd for 32 weights, in the order of bf16.dot. The up-convert is exact.
 *
 *   Golden Cove        12 uops; vpslld, vfmadd p01: 8; vpmovzxwd p5: >= 4.0      Skylake   the same: >= 4.0
 *
 *   ymm0-7 accumulators   xmm8-11 weights   ymm12-15 widened   [rsi] activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     64
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/bf16/bf16.dot.inc"

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu xmm8, [\base + \offset + 0]
    vmovdqu xmm9, [\base + \offset + 16]
    vmovdqu xmm10, [\base + \offset + 32]
    vmovdqu xmm11, [\base + \offset + 48]
.endm

.macro group
    group_of xmm8, xmm9, xmm10, xmm11, <[rsi]>, <[rsi + 32]>, <[rsi + 64]>, <[rsi + 96]>
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 8; i++) {
        float weight = reference_bf16(reference_word(data->weights, 8 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 8 * dot + i));
    }
}

#endif
