/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 (layout: micro/sequences/ternary_block.h): bytes times powers of 3 bring each digit to the top in turn, where two comparisons
 * tell it; weights are made with their sign. sdot. 98 uops issued: 82 of arithmetic, 16 loads.
 * Neoverse N1, N2: 2 vector pipes: >= 5.12. V1, V2: 4 pipes: >= 2.56.
 *
 *   v0-11 accumulators   the others: tq1_0.compare.inc
 */
#define FORMAT           "tq1_0"
#define SEQUENCE         "compare"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       1
#define GROUP_UOPS       98
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     54
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon_dotprod.inc"
#include "micro/sequences/aarch64/tq1_0.compare.inc"

    sequence_functions
#else
#include "micro/sequences/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    struct ternary_activations activations;
    uint16_t scale;
    int32_t whole[4] = {0};
    (void)dot;
    memcpy(&activations, data->activations, sizeof activations);
    memcpy(&scale, data->weights + 52, 2);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++)
        whole[weight % 16 / 4] += (tq1_0_code(data->weights[tq1_0_byte(weight)], weight) - 1) * activations.values[weight];
    for (uint32_t lane = 0; lane < 4; lane++)
        reference_add(sum, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 52, 1, activations, seed);
}
#endif
