/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bfloat16, the 16-bit baseline of [envelope, IV-D] where the CPU multiplies it: one vdpbf16ps for 32 weights, no
 * up-convert; activations are bfloat16 too. Pairs of products and the sum are floats, rounded to nearest.
 *
 *   Golden Cove        LLVM's model has it as four uops on p05: >= 2.0; as one of p0 it would be 1.0. Not yet seen here.
 *
 *   zmm0-11 accumulators   zmm30 weights   zmm31 activations
 */
#define ORIGIN           "envelope"
#define CLAIMED          0.0
#define BYTES            64.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_ZMM
#define WEIGHT_FILL      FILL_BF16
#define ACTIVATION_FILL  FILL_BF16
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    vmovdqu64 zmm31, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm30, [\base + \offset]
.endm

.macro dot_into number, source
    vdpbf16ps zmm\number, \source, zmm31
.endm

.macro group
    dot zmm30
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    for (unsigned i = 0; i < 32; i++) {
        float activation = reference_bf16(reference_word(data->activations, i));
        reference_add(sum, magnitude, i / 2, reference_bf16(reference_word(data->weights, i)) * activation);
    }
}
#endif
