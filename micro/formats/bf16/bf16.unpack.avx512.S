/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16 with one uop of up-convert a float, at 512 bits: the odd words of a register are masked in place, the even ones
 * shifted into the upper half, and the activations come in that order. 1 shift, 1 AND, 2 vfmadd for 32 weights.
 *
 *   Golden Cove        4 uops on p05, vpslld p0: >= 2.0; a core whose zmm vfmadd are p0 alone: 3.0
 *
 * A widening (vpmovzxwd p5) and a shift (p0) for each 16 weights would take 6: 3.0. The up-convert is exact.
 *
 *   zmm0-11 accumulators   zmm20 mask of upper halves   zmm28 floats   zmm30 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_ZMM
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_F32
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0xffff0000
    vpbroadcastd zmm20, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

/* source is the memory operand of sixteen activations */
.macro dot_into number, source
    vfmadd231ps zmm\number, zmm28, \source
.endm

.macro group
    vpslld zmm28, zmm30, 16
    dot [rsi]
    vpandd zmm28, zmm30, zmm20
    dot [rsi + 64]
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    for (unsigned i = 0; i < 16; i++) {
        float weight = reference_bf16(reference_word(data->weights, 2 * i + dot));
        reference_add(sum, magnitude, i, weight * reference_f32(data->activations, 16 * dot + i));
    }
}
#endif
