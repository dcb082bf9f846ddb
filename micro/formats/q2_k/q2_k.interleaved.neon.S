/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, four rows interleaved as with sdot, without it: products of codes up to 3 are small, so that those of four columns are added in 16
 * bits, |sum| <= 4 x 3 x 127, and neighbours there as well, before they become one word a row; minima up to 15 times the
 * bytes of the groups' sums likewise, over the whole block.
 *
 * 16 x (6 to unpack, ldr, 4 dup, 8 smull and smlal, addp, saddlp, mla), 28 for the scales, 34 for the minima, 12 for the sums: 426 uops, 19 of
 * them loads. Neoverse N1, N2: 407 on 2 vector pipes for 32 output vectors: >= 6.36. V1, V2: 4 pipes: >= 3.18.
 *
 *   v0 accumulator   v1 four activations in every place   v31 products of rows 2 and 3   the others: q2_k.interleaved_aarch64.inc
 */
#define ORIGIN           "kneepoint"
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
#define MOST             1
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
/* v26 times word `at` of v\activations, to 16 bits: rows 0, 1 in v\low, 2, 3 in v\high */
.macro add_fours low, high, activations, at
    dup v1.4s, v\activations\().s[\at]
    .if \at == 0
    smull v\low\().8h, v26.8b, v1.8b
    smull2 v\high\().8h, v26.16b, v1.16b
    .else
    smlal v\low\().8h, v26.8b, v1.8b
    smlal2 v\high\().8h, v26.16b, v1.16b
    .endif
.endm

.macro join low, high
    addp v\low\().8h, v\low\().8h, v\high\().8h
    saddlp v\low\().4s, v\low\().8h
.endm

.macro products_begin
.endm

.macro products_add p
    add_fours 27, 31, 25, \p
.endm

.macro products_end
    join 27, 31
.endm

.macro minima_begin
.endm

.macro minima_add number
    add_fours 29, 27, 25, \number
    add_fours 30, 28, 31, \number
.endm

.macro minima_end
    join 29, 27
    join 30, 28
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
