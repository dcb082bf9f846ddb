/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2, 2-bit codes into one of four codebooks a group of 16 [arm-kernels-codebooks, 5.3, 6.5], one row at a time: all codebooks
 * are one register, an index of codebook and code one byte, and tbl gives the weight. The codebook's number stands in bits 0-1
 * and in bits 2-3 of a byte broadcast for the group; the codes of bits 0-1 replace the lower one, those of bits 2-3 the upper
 * one, whose table is the transposed: no code is moved but by one shift a register.
 *
 * 4 shifts, 16 x (dup, bit, tbl, ldr, movi, sdot, mla), 9 for scales and numbers, 5 for the sum: 130 uops, 16 of them loads.
 * Neoverse N1, N2: 114 on 2 vector pipes for 8 output vectors: >= 7.13. V1, V2: 4 pipes: >= 3.56.
 *
 *   v0-3 accumulators   s4 scale of the activations   v6 mask 0x03   v7 mask 0x0c   v8, v10-13, h14 weights   v15 mask 0x3f
 *   v16, v17 codebooks and transposed   v18 codebooks' numbers   v21-24 scales   v25 sum   v19, v20, v26-29 temporaries
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            10.25
#define WEIGHT_BYTES     82
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 276
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Ltransposed: .byte 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15

.macro load_constants
    add x9, x1, 260
    ldr q16, [x9]
    ldr s4, [x1, 256]
    ldr q17, .Ltransposed
    tbl v17.16b, {v16.16b}, v17.16b
    movi v6.16b, 0x03
    movi v7.16b, 0x0c
    movi v15.16b, 0x3f
.endm

.macro load_weights base, offset
    ldr q8, [\base, \offset]
    ldr q10, [\base, \offset + 16]
    ldr q11, [\base, \offset + 32]
    ldr q12, [\base, \offset + 48]
    ldr q13, [\base, \offset + 64]
    ldr h14, [\base, \offset + 80]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v28.s[0]
.endm

.macro scaled_dot block, scales, lane
    ldr q26, [x1, \block * 16]
    movi v28.4s, 0
    sdot v28.4s, v27.16b, v26.16b
    mla v25.4s, v28.4s, v\scales\().s[\lane]
.endm

/* codes at `mask` of a register, looked up in `table` */
.macro looked_up register, mask, table, block
    dup v27.16b, v18.b[\block]
    bit v27.16b, v\register\().16b, v\mask\().16b
    tbl v27.16b, {v\table\().16b}, v27.16b
    scaled_dot \block, %(21 + (\block) / 4), %((\block) % 4)
.endm

.macro half first, second, block
    ushr v19.16b, v\first\().16b, 4
    ushr v20.16b, v\second\().16b, 4
    looked_up \first, 6, 16, \block
    looked_up \second, 6, 16, %(\block + 1)
    looked_up \first, 7, 17, %(\block + 2)
    looked_up \second, 7, 17, %(\block + 3)
    looked_up 19, 6, 16, %(\block + 4)
    looked_up 20, 6, 16, %(\block + 5)
    looked_up 19, 7, 17, %(\block + 6)
    looked_up 20, 7, 17, %(\block + 7)
.endm

.macro group
    ushr v18.16b, v8.16b, 6
    and v19.16b, v8.16b, v15.16b
    uxtl v20.8h, v19.8b
    uxtl2 v19.8h, v19.16b
    sli v18.16b, v18.16b, 2
    uxtl v21.4s, v20.4h
    uxtl2 v22.4s, v20.8h
    uxtl v23.4s, v19.4h
    uxtl2 v24.4s, v19.8h
    movi v25.4s, 0
    half 10, 11, 0
    half 12, 13, 8
    fcvt s28, h14
    scvtf v25.4s, v25.4s
    fmul s28, s28, s4
    dot v25
.endm

    sequence_functions
#else
#include "micro/families/blocks/block256.h"

static const struct block256 row = {1, 4, 1};

/* lane l has four weights of each 16 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    const int8_t *a = (const int8_t *)data->activations, *codebooks = a + BLOCK256_CODEBOOKS;
    double scale = blocks_float(data->activations + BLOCK256_SCALE) * block256_half(row, data->weights, 0, 0);
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t group = k / 16, byte = block256_byte(row, data->weights, 0, group);
        uint32_t code = blocks_code(data->weights, block256_position(row, 0, group, k % 16), 2);
        double value = scale * (byte & 63) * codebooks[byte / 64 * 4 + code] * a[k];
        blocks_add(sum, magnitudes, k / 4 % 4, value, fabs(value));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(row, weights, activations, seed);
}
#endif
