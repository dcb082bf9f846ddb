/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, four rows interleaved so that a 32-bit lane is a group of one row and a register the same group of all
 * [arm-kernels-codebooks, 4.1.1, 6.4]: one register of 16 activations serves it by element, its four dot products add up to one
 * product a row, and one multiply-accumulate applies four scales. The minima are dot products with the groups' sums, split
 * into 128 h + l of bytes.
 *
 * 16 x (6 to unpack, ldr, movi, 4 sdot, mla), 28 for the scales, 14 for the minima, 14 for the sums: 264 uops, 19 of them loads.
 * Neoverse N1, N2: 245 on 2 vector pipes for 32 output vectors: >= 3.83. V1, V2: 4 pipes: >= 1.91.
 *
 *   v0, v1 accumulators   v2-17 codes   v18-21 group bytes   v22 d, dmin   v23 mask 0x03   v24 mask 0x0f a word
 *   v25 activations   v26 codes   v27 product   v28 sum   v29, v30 sums of minima, l and h   v31 scales
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "interleaved"
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            10.5
#define WEIGHT_BYTES     336
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 360 /* 16 l, 16 h, the scale, minus the scale behind the rest */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       2
#define GROUP_UOPS       264
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    add x9, x1, 320
    movi v23.16b, 0x03
    movi v24.4s, 0x0f
.endm

.macro load_code register, base, offset
    ldr q\register, [\base, \offset]
.endm

.macro load_weights base, offset
    .set weight_register, 2
    .rept 20
    load_code %(weight_register), \base, %(\offset + (weight_register - 2) * 16)
    .set weight_register, weight_register + 1
    .endr
    ldr q22, [\base, \offset + 320]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source
.endm

.macro codes register, shift
    .if \shift == 0
    and v26.16b, v\register\().16b, v23.16b
    .else
    ushr v26.16b, v\register\().16b, \shift
    .if \shift < 6
    and v26.16b, v26.16b, v23.16b
    .endif
    .endif
.endm

.macro scales register, shift
    .if \shift == 0
    and v31.16b, v\register\().16b, v24.16b
    .else
    ushr v31.4s, v\register\().4s, \shift
    and v31.16b, v31.16b, v24.16b
    .endif
.endm

.macro whole_group number
    ldr q25, [x1, \number * 16]
    movi v27.4s, 0
    codes %(2 + \number), 0
    sdot v27.4s, v26.16b, v25.4b[0]
    codes %(2 + \number), 2
    sdot v27.4s, v26.16b, v25.4b[1]
    codes %(2 + \number), 4
    sdot v27.4s, v26.16b, v25.4b[2]
    codes %(2 + \number), 6
    sdot v27.4s, v26.16b, v25.4b[3]
    scales %(18 + \number / 4), %(\number % 4 * 8)
    mla v28.4s, v27.4s, v31.4s
.endm

.macro minima number, register
    ushr v26.16b, v\register\().16b, 4
    sdot v29.4s, v26.16b, v25.4b[\number]
    sdot v30.4s, v26.16b, v31.4b[\number]
.endm

.macro group
    ldp q25, q31, [x9]
    movi v28.4s, 0
    movi v29.4s, 0
    movi v30.4s, 0
    minima 0, 18
    minima 1, 19
    minima 2, 20
    minima 3, 21
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    whole_group \number
    .endr
    ldr d25, [x9, 32]
    shl v30.4s, v30.4s, 7
    fcvtl v26.4s, v22.4h
    fcvtl2 v27.4s, v22.8h
    add v29.4s, v29.4s, v30.4s
    scvtf v28.4s, v28.4s
    fmul v26.4s, v26.4s, v25.s[0]
    fmul v27.4s, v27.4s, v25.s[1]
    scvtf v29.4s, v29.4s
    dot v28.4s, v26.4s
    dot v29.4s, v27.4s
.endm

    sequence_functions
#else
#include "micro/sequences/block256.h"

static const struct block256 rows = {4, 4, 2};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block256_refer_q2_k(rows, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
    uint8_t *own = activations + BLOCK256_OWN;
    for (uint32_t group = 0; group < 16; group++) {
        int32_t sum = block256_sum(activations, group), high = (sum + 64) >> 7;
        own[group] = (uint8_t)(sum - 128 * high);
        own[16 + group] = (uint8_t)high;
    }
    double scale = blocks_float(activations + BLOCK256_SCALE);
    blocks_put_float(own + 32, scale, 1);
    blocks_put_float(own + 36, -scale, 1);
}
#endif
