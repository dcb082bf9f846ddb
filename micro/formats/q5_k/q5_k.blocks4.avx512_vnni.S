/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q5_k, four blocks of one row as they are stored: k_quant_blocks4.avx512_vnni.inc.
 * Golden Cove at 512 bits: 131 on p05: 65.5 cycles for 1024 weights, 2.05 per output vector. 158 uops issued: 131 of
 * arithmetic, 6 loads, 21 zeros.
 *
 *   zmm0-3 accumulators   the others: the .inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            22.0
#define GROUP_DOTS       5
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     704
#define ACTIVATION_BYTES 1184
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#include "micro/formats/q5_k/layout.h"
#include "micro/families/k_quants/k_quant_blocks4.avx512_vnni.inc"

#ifdef __ASSEMBLER__
    sequence_functions
#else
#include "micro/families/k_quants/k_quant_blocks4.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    k_quant_blocks4_refer(data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    k_quant_blocks4_fill(weights, activations, seed);
}
#endif
