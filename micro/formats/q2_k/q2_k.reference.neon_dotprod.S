/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit in blocks of 256, each sub-block of 16 with a scale and a minimum of 4 bits: shift and mask, dot product, and the
 * sub-block's scale multiplied in by lane; the minima meet sums of activations made once a token. One row at a time; the block
 * has more activations than registers, so they are loaded, once a dot product.
 *
 * 24 to unpack, 16 x (ldr, movi, sdot, mla), 14 for the scales and minima and their 2 loads, 7 for the sum: 111 uops, 18 of
 * them loads. Neoverse N1, N2: 93 on 2 vector pipes for 8 output vectors: >= 5.81. V1, V2: 4 pipes: >= 2.91.
 *
 *   v0-3 accumulators   s4 scale of the activations   v5 mask 0x03   v17 mask 0x0f   v8, v10-13, s9 weights
 *   v18-21 scales   v22 sum   v25 sum of minima   v26-31 temporaries
 */
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            10.5
#define WEIGHT_BYTES     84
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 352 /* the groups' sums in words after the rest */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldr s4, [x1, 256]
    add x9, x1, 320
    movi v5.16b, 0x03
    movi v6.16b, 0x0c
    movi v7.16b, 0x30
    movi v17.16b, 0x0f
.endm

.macro load_weights base, offset
    ldr q8, [\base, \offset]
    ldr q10, [\base, \offset + 16]
    ldr q11, [\base, \offset + 32]
    ldr q12, [\base, \offset + 48]
    ldr q13, [\base, \offset + 64]
    ldr s9, [\base, \offset + 80]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v28.s[0]
    fmls v\number\().4s, v25.4s, v28.s[1]
.endm

/* v18-v21 the sixteen scales, v25 sum of each sub-block's minimum times its sum of activations */
.macro widen_scales
    and v18.16b, v8.16b, v17.16b
    ushr v25.16b, v8.16b, 4
    uxtl v28.8h, v18.8b
    uxtl2 v29.8h, v18.16b
    uxtl v18.4s, v28.4h
    uxtl2 v19.4s, v28.8h
    uxtl v20.4s, v29.4h
    uxtl2 v21.4s, v29.8h
    ldp q30, q31, [x9]
    uxtl v28.8h, v25.8b
    uxtl2 v29.8h, v25.16b
    smull v25.4s, v28.4h, v30.4h
    smlal2 v25.4s, v28.8h, v30.8h
    smlal v25.4s, v29.4h, v31.4h
    smlal2 v25.4s, v29.8h, v31.8h
.endm

/* v27 the codes of a sub-block */
.macro scaled_dot block, scales, lane, sums
    ldr q26, [x1, \block * 16]
    movi v28.4s, 0
    sdot v28.4s, v27.16b, v26.16b
    mla v\sums\().4s, v28.4s, v\scales\().s[\lane]
.endm

.macro plain register, block
    and v27.16b, v\register\().16b, v5.16b
    scaled_dot \block, %(18 + (\block) / 4), %((\block) % 4), 22
.endm

.macro shifted register, shift, block
    ushr v27.16b, v\register\().16b, \shift
    .if \shift < 6
    and v27.16b, v27.16b, v5.16b
    .endif
    scaled_dot \block, %(18 + (\block) / 4), %((\block) % 4), 22
.endm

.macro half first, second, block
    plain \first, \block
    plain \second, %(\block + 1)
    shifted \first, 2, %(\block + 2)
    shifted \second, 2, %(\block + 3)
    shifted \first, 4, %(\block + 4)
    shifted \second, 4, %(\block + 5)
    shifted \first, 6, %(\block + 6)
    shifted \second, 6, %(\block + 7)
.endm

.macro group
    widen_scales
    movi v22.4s, 0
    half 10, 11, 0
    half 12, 13, 8
    fcvtl v28.4s, v9.4h
    scvtf v22.4s, v22.4s
    scvtf v25.4s, v25.4s
    fmul v28.4s, v28.4s, v4.s[0]
    dot v22
.endm

    sequence_functions
#else
#include "micro/families/blocks/block256.h"

static const struct block256 row = {1, 4, 2};

/* lane l has four weights of each 16, and the minima of groups l, l + 4, l + 8 and l + 12 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + BLOCK256_SCALE);
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t group = k / 16, byte = block256_byte(row, w, 0, group);
        uint32_t code = blocks_code(w, block256_position(row, 0, group, k % 16), 2);
        int32_t a = ((const int8_t *)data->activations)[k];
        double product = scale * block256_half(row, w, 0, 0) * (byte & 15) * code * a;
        double minimum = scale * block256_half(row, w, 0, 1) * (byte >> 4) * a;
        blocks_add(sum, magnitudes, k / 4 % 4, product, fabs(product));
        blocks_add(sum, magnitudes, group % 4, -minimum, fabs(minimum));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(row, weights, activations, seed);
    for (uint32_t group = 0; group < 16; group++)
        blocks_put_int16(activations + BLOCK256_OWN + 2 * group, block256_sum(activations, group));
}
#endif
