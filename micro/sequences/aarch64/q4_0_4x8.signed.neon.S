/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, four rows interleaved by eight bytes, without dot products.
 * 4 x (shl, and, 4 products, 2 added by pairs), 3 addp, and 4 for the sums and their scales: 39 uops.
 * Neoverse N1, N2: 2 vector pipes, for 4 output vectors: >= 4.88. V1, V2: 4 pipes: >= 2.44.
 *
 *   v0-11 accumulators   the others: block32.eights.neon.inc
 */
#define FORMAT           "q4_0_4x8"
#define SEQUENCE         "signed"
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
#define GROUP_UOPS       39
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define EIGHTS_BITS 4

.macro block32_constants
    movi v22.16b, 0xf0
.endm

.macro decode from
    shl v24.16b, v\from\().16b, 4
    and v25.16b, v\from\().16b, v22.16b
.endm

#include "micro/sequences/aarch64/block32.eights.neon.inc"

    sequence_functions
#else
#include "micro/sequences/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block32_eights_refer(data, 4, block32_signed, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_eights_fill(weights, activations, 4, 16, seed);
}
#endif
