/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit in blocks of 256, each sub-block of 16 with a scale and a minimum of 4 bits, masks in place: the codes of bits 0-1, 2-3
 * and 4-5 stay where they are, and a sum of their own for each place is shifted down once a block; those of bits 6-7, negative
 * in place, are shifted. Else as the reference.
 *
 * 16 to unpack, 16 x (ldr, movi, smull, smlal2, sadalp, mla), 14 for the scales and minima and their 2 loads, 11 for the sums: 139 uops,
 * 18 of them loads. Neoverse N1, N2: 121 on 2 vector pipes for 8 output vectors: >= 7.56. V1, V2: 4 pipes: >= 3.78.
 *
 *   v0-3 accumulators   the others: q2_k.mask.inc
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define WEIGHT_BYTES     84
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 352 /* the groups' sums in words behind the rest */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       139
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon.inc"
#include "micro/sequences/aarch64/q2_k.mask.inc"

    sequence_functions
#else
#include "micro/sequences/q2_k_row.h"

static uint32_t lane_of(uint32_t k)
{
    return k % 8 / 2;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q2_k_row_refer(data, 4, lane_of, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q2_k_row_fill(weights, activations, seed);
}
#endif
