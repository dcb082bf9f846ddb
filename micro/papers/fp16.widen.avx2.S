/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Half precision, a 16-bit baseline: eight words converted to floats, multiplied. 4 vcvtph2ps and 4 vfmadd for 32 weights.
 *
 *   Golden Cove        vcvtph2ps of a register p01 and p5, vfmadd p01: 12 uops, 8 of them on p01: >= 4.0; Skylake the same
 *   Zen 3              vcvtph2ps 2 uops on 2 pipes, vfmadd on 2: >= 4.0
 *
 * A vcvtph2ps that loads its words saves the p5, so a kernel pays 8 uops; p01 binds it alike. By integers (unpack, vpsrad 3,
 * AND, and 2^112 in the row's scale) a float takes one uop more. The up-convert is exact.
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
    vcvtph2ps ymm10, \weights
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
        float weight = reference_f16(reference_word(data->weights, 8 * dot + i));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 8 * dot + i));
    }
}
#endif
