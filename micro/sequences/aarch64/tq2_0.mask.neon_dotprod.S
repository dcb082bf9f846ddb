/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 (layout: micro/sequences/ternary_block.h), masks: three fields stay in their place, the upper one is shifted down; sums of weight
 * 1, 4 and 16 are joined once a block, by shifts that add. The sum of the activations is where the first begins. sdot for each 16
 * weights. 57 uops issued: 40 of arithmetic, 17 loads.
 * Neoverse N1, N2: 2 vector pipes: >= 2.50. V1, V2: 4 pipes: >= 1.25.
 *
 *   v0-11 accumulators   the others: tq2_0.mask.inc
 */
#define FORMAT           "tq2_0"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       1
#define GROUP_UOPS       57
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     66
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon_dotprod.inc"
#include "micro/sequences/aarch64/tq2_0.mask.inc"

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
    memcpy(&scale, data->weights + 64, 2);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        int32_t code = tq2_0_code(data->weights[tq2_0_byte(weight)], weight);
        whole[weight % 16 / 4] += code * activations.values[weight];
        whole[0] -= activations.values[weight];
    }
    for (uint32_t lane = 0; lane < 4; lane++)
        reference_add(sum, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 64, 1, activations, seed);
}
#endif
