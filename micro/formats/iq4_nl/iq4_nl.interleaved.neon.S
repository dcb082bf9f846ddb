/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit indices into a codebook of 16 bytes, four rows interleaved by four bytes, without dot products: tbl finds the values, then their
 * products by pairs. 2 x (8 decoded, 4 dup, 8 products, 4 added by pairs, addp), and 5 for the sums and their scales: 55 uops.
 * Neoverse N1, N2: 2 vector pipes, for 4 output vectors: >= 6.88. V1, V2: 4 pipes: >= 3.44.
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
#define FOURS_BITS 0

    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro block32_constants
    movi v21.16b, 0x0f
    ldr q22, .Lcodebook
.endm

.macro decode_low to, from
    and v\to\().16b, v\from\().16b, v21.16b
    tbl v\to\().16b, {v22.16b}, v\to\().16b
.endm

.macro decode_high to, from
    ushr v\to\().16b, v\from\().16b, 4
    tbl v\to\().16b, {v22.16b}, v\to\().16b
.endm

#include "micro/families/block32/block32.fours.neon.inc"

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 4, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 4, seed);
}
#endif
