/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0 with signed nibbles [arm-kernels-codebooks, 4.1.2, Fig. 4], see q4_0.signed.avx2. vpdpbusd wants unsigned
 * weights: magnitudes, and the sign goes to the activations.
 * Per 64 weights: 1 shift, 2 ANDs, 2 vpabsb, 2 vpsignb, 2 vpdpbusd; scales of 8 rows: 5. 41 uops of arithmetic for
 * 256 weights.
 * Golden Cove: 32 on p01, 1 on p5, 8 anywhere: 2.0 cycles per output vector, bound by p01. 50 uops issued: 41 of
 * arithmetic, 9 loads.
 *
 *   ymm0-3 accumulators   ymm4 sums   ymm5 weights as bytes   ymm6 magnitudes   ymm7 activations, scales
 *   ymm10 mask 0xf0   xmm11 scales   ymm12-15 weights
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 96
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/formats/q4_0/q4_0.signed.inc"

.macro multiply_signed
    vpabsb ymm6, ymm5
    vpsignb ymm7, ymm7, ymm5
    {vex} vpdpbusd ymm4, ymm6, ymm7
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_signed, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT) / 16, 8);
}
#endif
