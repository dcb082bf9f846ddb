/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Group-wise codebooks, sixteen codebooks of four values, in four registers; four rows, a lane a row: a shift that inserts
 * joins the codebook's number to the code, tbl finds the value, and 16 products are added before the group's scale
 * [arm-kernels-codebooks, 4.1.1, 5.3, 6.5]. Without dot products. 144 uops issued: 140 of arithmetic, 4 loads.
 * Neoverse N1, N2: 2 vector pipes, for 8 output vectors: >= 8.75. V1, V2: 4 pipes: >= 4.38.
 *
 *   v0-2 accumulators   the others: codebook.inc
 */
#define FORMAT           "cb2_16"
#define SEQUENCE         "codebook"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define WEIGHT_BYTES     82
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 512
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       144
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             3
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/fours.neon.inc"

#define CODE_BITS   2
#define NUMBER_BITS 4
#include "micro/sequences/aarch64/codebook.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {4, 2, 4, false};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
