/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Half precision, a 16-bit baseline where the CPU multiplies it: 32 products an instruction, activations in half precision
 * too. Sums of eight products stay in half precision (11 bits: each adds at most 2^-11 of the terms' magnitudes, the eight
 * 2^-8, and terms up to 8190 cannot overflow), then both halves of the register become floats and join the accumulators.
 * 1 vmulph, 7 vfmaddph, 2 vcvtph2psx (2 uops each), 1 vextracti and 2 vaddps for 8 output vectors.
 *
 *   Golden Cove        15 uops on p05; vcvtph2psx p0 and p5, vextracti p5: >= 0.938; with vfmadd on p0 alone 1.25
 *
 * fp16.widen, all in floats, takes 6 for each vector.
 *
 *   zmm0-11 accumulators   zmm20 sum of eight   zmm21, zmm22 halves as floats   zmm24-31 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             12
#define VECTOR_IS_ZMM
#define WEIGHT_BYTES     512
#define WEIGHT_FILL      FILL_F16
#define ACTIVATION_BYTES 512
#define ACTIVATION_FILL  FILL_F16
#define LANE             LANE_FLOAT32
#define TOLERANCE        0.004 /* 8 * 2^-11, and the floats' own */
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu64 zmm24, [\base + \offset]
    vmovdqu64 zmm25, [\base + \offset + 64]
    vmovdqu64 zmm26, [\base + \offset + 128]
    vmovdqu64 zmm27, [\base + \offset + 192]
    vmovdqu64 zmm28, [\base + \offset + 256]
    vmovdqu64 zmm29, [\base + \offset + 320]
    vmovdqu64 zmm30, [\base + \offset + 384]
    vmovdqu64 zmm31, [\base + \offset + 448]
.endm

.macro dot_into number, source
    vaddps zmm\number, zmm\number, \source
.endm

.macro group
    vmulph zmm20, zmm24, [rsi]
    vfmadd231ph zmm20, zmm25, [rsi + 64]
    vfmadd231ph zmm20, zmm26, [rsi + 128]
    vfmadd231ph zmm20, zmm27, [rsi + 192]
    vfmadd231ph zmm20, zmm28, [rsi + 256]
    vfmadd231ph zmm20, zmm29, [rsi + 320]
    vfmadd231ph zmm20, zmm30, [rsi + 384]
    vfmadd231ph zmm20, zmm31, [rsi + 448]
    vcvtph2psx zmm21, ymm20
    vextracti32x8 ymm22, zmm20, 1
    vcvtph2psx zmm22, ymm22
    dot zmm21
    dot zmm22
.endm

    sequence_functions
#else
/** The lower 16 words of each register, or the upper. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 128; i++) {
        unsigned word = i / 16 * 32 + 16 * dot + i % 16;
        float activation = reference_f16(reference_word(data->activations, word));
        reference_add(sum, magnitude, i % 16, reference_f16(reference_word(data->weights, word)) * activation);
    }
}
#endif
