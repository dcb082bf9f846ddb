/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvfp4, a block of one row as it is stored: nvfp4.rows.256.inc. 
 * Of a block: 2 of each shift, AND, vpshufb, vpdpbusd and conversion; for scales vpshufb, shift, AND, vextracti128, 2 conversions of halves;
 * 1 product, 2 multiply-adds.
 * 26 uops issued: 21 of arithmetic, 5 loads.
 *
 *   ymm0-3 accumulators   the others: nvfp4.rows.256.inc
 */
#define FORMAT           "nvfp4"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       26
#define GROUP_VECTORS    2
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     36
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/nvfp4.products.avx_vnni.inc"
#include "micro/sequences/x86_64/nvfp4.rows.256.inc"

    sequence_functions
#else
#include "micro/sequences/nvfp4.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    nvfp4_refer_row(data, 32, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    nvfp4_fill_row(weights, activations, 12, seed);
}
#endif
