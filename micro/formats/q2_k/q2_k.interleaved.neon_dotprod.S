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
 *   v0, v1 accumulators   the others: q2_k.interleaved_aarch64.inc
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            10.5
#define WEIGHT_BYTES     336
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 360 /* 16 l, 16 h, the scale, minus the scale after the rest */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       2
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro products_begin
    movi v27.4s, 0
.endm

.macro products_add p
    sdot v27.4s, v26.16b, v25.4b[\p]
.endm

.macro products_end
.endm

.macro minima_begin
    movi v29.4s, 0
    movi v30.4s, 0
.endm

.macro minima_add number
    sdot v29.4s, v26.16b, v25.4b[\number]
    sdot v30.4s, v26.16b, v31.4b[\number]
.endm

.macro minima_end
.endm

#include "micro/formats/q2_k/q2_k.interleaved_aarch64.inc"

    sequence_functions
#else
#include "micro/formats/q2_k/q2_k_interleaved.h"

static const struct block256 four_rows = {4, 4, 2};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block256_refer_q2_k(four_rows, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q2_k_interleaved_fill(four_rows, weights, activations, seed);
}
#endif
