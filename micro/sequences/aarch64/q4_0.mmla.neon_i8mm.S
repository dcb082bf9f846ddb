/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, four rows interleaved by eight bytes, for two tokens at a time
 * [arm-kernels-codebooks, 4.2; its Q4_0_4_8]: a register is 8 weights of 2 rows, smmla multiplies it with 8 activations of 2
 * tokens. The cycles are counted per weight; a product of one token leaves half of the work unused.
 * 4 x (shl, and, 2 smmla), and 11 for the sums and their scales.
 *
 *     weights: 4 scales; 8 bytes of each of 4 rows, twice; byte k of a row holds weight k (low nibble) and k + 16 (high)
 *     activations: 4 x (8 of token 0, 8 of token 1), then the two tokens' scales as float
 *
 * Neoverse N2: 27 uops on 2 vector pipes for 4 output vectors: >= 3.38. V1, V2: 4 pipes: >= 1.69.
 *
 *   v0-11 accumulators: row 0 token 0, row 0 token 1, row 1 token 0, row 1 token 1   v12-15, d19 weights, their scales
 *   v16, v17, v21, v22 activations   v18 their scales   v20 mask 0xf0   v24-v29 temporaries   v30, v31 sums of rows 0, 1 and 2, 3
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "mmla"
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 72
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       2
#define GROUP_UOPS       27
#define GROUP_VECTORS    4
#define LEAST            2
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q16, q17, [x1]
    ldp q21, q22, [x1, 32]
    ldr d18, [x1, 64]
    dup v18.2d, v18.d[0]
    movi v20.16b, 0xf0
.endm

.macro load_weights base, offset
    ldr d19, [\base, \offset]
    ldur q12, [\base, \offset + 8]
    ldur q13, [\base, \offset + 24]
    ldur q14, [\base, \offset + 40]
    ldur q15, [\base, \offset + 56]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source
.endm

.macro group
    fcvtl v29.4s, v19.4h
    movi v30.4s, 0
    movi v31.4s, 0
    shl v24.16b, v12.16b, 4
    and v25.16b, v12.16b, v20.16b
    smmla v30.4s, v24.16b, v16.16b
    smmla v30.4s, v25.16b, v21.16b
    shl v24.16b, v13.16b, 4
    and v25.16b, v13.16b, v20.16b
    smmla v31.4s, v24.16b, v16.16b
    smmla v31.4s, v25.16b, v21.16b
    shl v24.16b, v14.16b, 4
    and v25.16b, v14.16b, v20.16b
    smmla v30.4s, v24.16b, v17.16b
    smmla v30.4s, v25.16b, v22.16b
    shl v24.16b, v15.16b, 4
    and v25.16b, v15.16b, v20.16b
    smmla v31.4s, v24.16b, v17.16b
    smmla v31.4s, v25.16b, v22.16b
    zip1 v28.4s, v29.4s, v29.4s
    zip2 v29.4s, v29.4s, v29.4s
    fmul v28.4s, v28.4s, v18.4s
    fmul v29.4s, v29.4s, v18.4s
    scvtf v30.4s, v30.4s, 4
    scvtf v31.4s, v31.4s, 4
    dot v30.4s, v28.4s
    dot v31.4s, v29.4s
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *activations = (const int8_t *)data->activations;
    for (uint32_t lane = 0; lane < 4; lane++) {
        uint32_t row = 2 * dot + lane / 2, token = lane % 2;
        double scale = blocks_half(data->weights + 2 * row) * blocks_float(data->activations + 64 + 4 * token);
        double magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            uint32_t byte = 8 + k % 16 / 8 * 32 + 8 * row + k % 8;
            int32_t w = block32_signed[blocks_code(data->weights, 8 * byte + k / 16 * 4, 4)];
            int32_t product = w * activations[k / 8 * 16 + 8 * token + k % 8];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    uint8_t scales[4];
    blocks_draw(weights + 8, 64, (int8_t *)activations, 64, seed);
    blocks_draw_scales(weights, 4, &state);
    blocks_draw_scales(scales, 2, &state);
    for (uint32_t token = 0; token < 2; token++)
        blocks_put_float(activations + 64 + 4 * token, blocks_half(scales + 2 * token), 1);
}
#endif
