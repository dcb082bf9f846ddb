/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q5_k_m16, half a block of 16 rows whose lanes are rows: k_quant_m16.lanes.avx512_vnni.inc.
 * Golden Cove at 512 bits: 173 on p05, 1.35 cycles per output vector. 179 uops issued: 173 of arithmetic, 6 zeros.
 *
 *   zmm0 accumulator   the others: the .inc
 */
#define FORMAT           "q5_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            22.0
#define GROUP_DOTS       2
#define GROUP_UOPS       179
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     1408
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define K_QUANT_BITS 5
#include "micro/sequences/x86_64/k_quant_m16.lanes.avx512_vnni.inc"

#ifdef __ASSEMBLER__
    sequence_functions
#else
#include "micro/sequences/k_quant_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    k_quant_lanes_refer(data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    k_quant_lanes_fill(weights, activations, seed);
}
#endif
