/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, four rows interleaved by four bytes, without dot products: a shift or a mask for 16
 * codes, then their products by pairs. 2 x (4 decoded, 4 dup, 8 products, 4 added by pairs, addp), and 5 for the sums and their scales: 47 uops.
 * Neoverse N1, N2: 2 vector pipes, for 4 output vectors: >= 5.88. V1, V2: 4 pipes: >= 2.94.
 *
 *   v0-2 accumulators   the others: block32.fours.neon.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             3
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define FOURS_BITS 4

.macro block32_constants
    movi v21.16b, 0xf0
.endm

.macro decode_low to, from
    shl v\to\().16b, v\from\().16b, 4
.endm

.macro decode_high to, from
    and v\to\().16b, v\from\().16b, v21.16b
.endm

#include "micro/families/block32/block32.fours.neon.inc"

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 4, dot, block32_signed, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 4, seed);
}
#endif
