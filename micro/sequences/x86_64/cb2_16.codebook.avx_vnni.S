/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2_16, lanes are rows, twice 8 of them: codebook_lanes.256.inc.
 * As cb2_4 with the codebooks of each row in place of the number: made for 28 operations a quarter of eight rows, where the numbers take 6.
 * Golden Cove: 94 on p01, 68 on p15, 2 on p5, 58 anywhere: 222 on three ports, 2.31 cycles per output vector.
 * 286 uops issued: 222 of arithmetic, 60 loads, 4 copies.
 *
 *   Registers: codebook_quarter.256.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       2
#define GROUP_UOPS       286
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     328 /* a quarter of a block, and of its d, which rows share by fours here */
#define ACTIVATION_BYTES 512
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODEBOOKS_OF_16
#include "micro/sequences/x86_64/codebook_quarter.256.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {16, 2, 4, false};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
