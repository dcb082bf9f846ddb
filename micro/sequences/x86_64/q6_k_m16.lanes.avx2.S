/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q6_k_m16, an eighth of a block of 8 rows whose lanes are rows: q6_k_m16.lanes.256.inc.
 * 73 uops issued: 62 of arithmetic, 11 loads. Golden Cove, on three ports: 2.58 cycles per output vector; Zen 5, on four: 1.94.
 *
 *   ymm0 accumulator   the others: the .inc
 */
#define FORMAT           "q6_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            26.25
#define GROUP_DOTS       1
#define GROUP_UOPS       73
#define GROUP_VECTORS    8
#define WEIGHT_BYTES     210
#define ACTIVATION_BYTES 448
#define LEAST            1
#define MOST             1
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define SUMS_OF_WORDS
#include "micro/sequences/x86_64/q6_k_m16.lanes.256.inc"

    sequence_functions
#else
#include "micro/sequences/q6_k_lanes_256.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q6_k_lanes_refer(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q6_k_lanes_fill(weights, activations, true, seed);
}
#endif
