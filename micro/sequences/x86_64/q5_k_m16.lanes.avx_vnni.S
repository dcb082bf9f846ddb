/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q5_k_m16, a group of 32 columns of 8 rows whose lanes are rows: q5_k_m16.lanes.256.inc.
 * 65 uops issued: 54 of arithmetic, 11 loads. Golden Cove, on three ports: 2.25 cycles per output vector; Zen 5, on four: 1.69.
 *
 *   ymm0 accumulator   the others: the .inc
 */
#define FORMAT           "q5_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            22.0
#define GROUP_DOTS       1
#define GROUP_UOPS       65
#define GROUP_VECTORS    8
#define WEIGHT_BYTES     176
#define ACTIVATION_BYTES 64
#define LEAST            1
#define MOST             1
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/q5_k_m16.lanes.256.inc"

    sequence_functions
#else
#include "micro/sequences/q5_k_lanes_256.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q5_k_lanes_refer(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q5_k_lanes_fill(weights, activations, seed);
}
#endif
