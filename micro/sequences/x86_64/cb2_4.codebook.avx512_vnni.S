/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2_4, lanes are 16 rows: codebook_lanes.avx512.inc, looked up by vpshufb, for which the number is masked: an AND a line more than
 * with vpermb.
 * Golden Cove at 512 bits: 84 on p05 (21 of them on p5 only): 42 cycles, 1.31 per output vector.
 * 98 uops issued: 84 of arithmetic, 6 loads, 8 copies.
 *
 *   Registers: codebook_quarter.avx512.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       98
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     328 /* a quarter of a block, and of its d, which rows share by fours here */
#define ACTIVATION_BYTES 512
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define BYTE_SHUFFLE
#include "micro/sequences/x86_64/codebook_quarter.avx512.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {16, 2, 2, false};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
