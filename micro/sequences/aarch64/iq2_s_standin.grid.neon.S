/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, whose grid is a stand-in for that of IQ2_S (micro/kernels/iq2_s_standin/grid.inc): the number of a
 * vector is put together in integer registers, three instructions, and the vector loaded from a table of 8 KB in the first-level cache.
 * A bit a weight becomes a mask by cmtst, which turns the magnitudes; smull, smlal2 and sadalp add the four sums of a group, mla applies its scale.
 *
 * 32 x (3 and a load), 16 x 11, 10 for the scales, 6 for the end: 320 uops, of them 48 loads and 96 of integer registers. Neoverse N1, N2:
 * 176 on 2 vector pipes for 8 output vectors: >= 11.00. V1, V2: 4 pipes: >= 5.50.
 *
 *   v0-3 accumulators   the others: iq2_s_standin.grid.inc
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define WEIGHT_BYTES     82
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 272
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       320
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon.inc"
#include "micro/sequences/aarch64/iq2_s_standin.grid.inc"

    sequence_functions
#else
#include "micro/sequences/iq2_s_standin.h"

/* lane l has columns 2 l, 2 l + 1, 2 l + 8 and 2 l + 9 of each 16 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    iq2_s_refer_neighbours(data, 2, 4, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    iq2_s_fill(weights, activations, seed);
}
#endif
