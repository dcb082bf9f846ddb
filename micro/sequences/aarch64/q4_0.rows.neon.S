/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit in blocks of 32 with a half-precision scale, one row at a time: the upper bit of each code is flipped, a shift and a mask leave
 * both 16 times the weight, which the conversion to float undoes [arm-kernels-codebooks, 4.1.2]; smull, smlal2, sadalp twice. 14 uops.
 * Neoverse N1, N2: 2 vector pipes: >= 7.00. V1, V2: 4 pipes: >= 3.50.
 *
 *   v0-11 accumulators   v12, h13 weights, scale   v16, v17, s18 activations, scale   v20, v21 masks   v24-v27 temporaries
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     18
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       14
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon.inc"
#include "micro/sequences/aarch64/q4_0.rows.inc"

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_ROW_PAIRS, 4, dot, block32_offset8, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 4, seed);
}
#endif
