/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvfp4_m16, 32 columns of 8 rows: nvfp4_m16.lanes.256.inc. 
 * 54 uops issued: 43 of arithmetic, 11 loads.
 *
 *   ymm0-2 accumulators   the others: nvfp4_m16.lanes.256.inc
 */
#define FORMAT           "nvfp4_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       54
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/nvfp4.products.avx_vnni.inc"
#include "micro/sequences/x86_64/nvfp4_m16.lanes.256.inc"

    sequence_functions
#else
#include "micro/sequences/nvfp4.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    nvfp4_refer_lanes(data, 8, 2, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    nvfp4_fill_lanes(weights, activations, 8, 2, 12, seed);
}
#endif
