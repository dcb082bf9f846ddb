/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k_m16, a quarter of a block of 8 rows whose lanes are rows: q3_k_m16.lanes.256.inc.
 * 147 uops issued: 126 of arithmetic, 21 loads. Golden Cove, on three ports: 2.62 cycles per output vector; Zen 5, on four: 1.97.
 *
 *   ymm0 accumulator   the others: the .inc
 */
#define FORMAT           "q3_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            13.75
#define GROUP_DOTS       1
#define GROUP_UOPS       147
#define GROUP_VECTORS    16
#define WEIGHT_BYTES     220
#define ACTIVATION_BYTES 384
#define LEAST            1
#define MOST             1
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define SUMS_OF_WORDS
#include "micro/sequences/x86_64/q3_k_m16.lanes.256.inc"

    sequence_functions
#else
#include "micro/sequences/q3_k_lanes_256.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q3_k_lanes_refer(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q3_k_lanes_fill(weights, activations, true, seed);
}
#endif
