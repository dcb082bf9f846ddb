/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Group-wise codebooks, sixteen codebooks of four values, in two registers, of which those of the rows' groups are gathered into one: row
 * and code joined are an index, tbl finds the value, and 16 products are added before the group's scale [arm-kernels-codebooks, 4.1.1, 5.3,
 * 6.5]. Eight rows, a lane a row; sdot by element. 119 uops issued: 115 of arithmetic, 4 loads.
 * Neoverse V1: 2 pipes of 256 bits, for 16 output vectors: >= 3.59, where 4 of 128 take 2.88.
 *
 *   z0-2 accumulators   the others: codebook.sve256.inc
 */
#define FORMAT           "cb2_16"
#define SEQUENCE         "codebook"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define WEIGHT_BYTES     164
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 512
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       119
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             3
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODE_BITS   2
#define NUMBER_BITS 4
#include "micro/sequences/aarch64/codebook.sve256.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {8, 2, 4, false};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
