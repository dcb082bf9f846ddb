/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0, one row at a time: no up-convert but the scale; sdot twice. 7 uops.
 * Neoverse N1, N2: 2 vector pipes: >= 3.50. V1, V2: 4 pipes: >= 1.75.
 *
 *   v0-11 accumulators   v12, v14, h13 weights, scale   v16, v17, s18 activations, scale   v26, v27 temporaries
 */
#define FORMAT           "q8_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define WEIGHT_BYTES     34
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       7
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon_dotprod.inc"
#include "micro/sequences/aarch64/q8_0.rows.inc"

    sequence_functions
#else
#include "micro/sequences/blocks.h"

/* 32 int8 codes behind their scale; activations as in block32.h */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    const int8_t *codes = (const int8_t *)data->weights + 2, *a = (const int8_t *)data->activations;
    double scale = blocks_half(data->weights) * blocks_half(data->activations + 32);
    (void)dot;
    for (uint32_t lane = 0; lane < 4; lane++) {
        int32_t products = 0;
        double terms = 0;
        for (uint32_t i = 0; i < 32; i++) {
            if (i / 4 % 4 != lane)
                continue;
            products += codes[i] * a[i];
            terms += fabs(scale * codes[i] * a[i]);
        }
        blocks_add(sum, magnitude, lane, scale * products, terms);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + 2, 32, (int8_t *)activations, 32, seed);
    blocks_draw_scales(weights, 1, &state);
    blocks_draw_scales(activations + 32, 1, &state);
    blocks_put_float(activations + 36, blocks_half(activations + 32), 1);
}
#endif
