/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16, the 16-bit baseline of [envelope, IV-D] on cores without bfloat16 arithmetic: eight words widened, shifted into
 * the upper half of a float, multiplied. 4 vpmovzxwd, 4 vpslld and 4 vfmadd for 32 weights.
 *
 *   Golden Cove        12 uops; vpslld, vfmadd p01: 8; vpmovzxwd p5: >= 4.0      Skylake   the same: >= 4.0
 *   Zen 3              vpmovzxwd crosses lanes, where the core is slow; vfmadd and vpslld share a pipe: 8.0 by llvm-mca
 *
 * The up-convert is exact; products and sums round as floats do.
 *
 *   ymm0-9 accumulators   ymm10 floats   xmm12-15 weights
 */
#define ORIGIN           "envelope"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             10
#define WEIGHT_BYTES     64
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu xmm12, [\base + \offset]
    vmovdqu xmm13, [\base + \offset + 16]
    vmovdqu xmm14, [\base + \offset + 32]
    vmovdqu xmm15, [\base + \offset + 48]
.endm

/* source is the memory operand of eight activations */
.macro dot_into number, source
    vfmadd231ps ymm\number, ymm10, \source
.endm

.macro eight weights, activations
    vpmovzxwd ymm10, \weights
    vpslld ymm10, ymm10, 16
    dot [rsi + \activations]
.endm

.macro group
    eight xmm12, 0
    eight xmm13, 32
    eight xmm14, 64
    eight xmm15, 96
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
