/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IQ4_NL, one row at a time: tbl looks up the values of both codes of a byte; smull, smlal2, sadalp twice. 15 uops.
 * Neoverse N1, N2: 2 vector pipes: >= 7.50. V1, V2: 4 pipes: >= 3.75.
 *
 *   v0-11 accumulators   v12, h13 weights, scale   v16, v17, s18 activations, scale   v20 mask   v21 codebook   v24-v27 temporaries
 */
#define FORMAT           "iq4_nl"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     18
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       15
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/aarch64/pairs.neon.inc"
#include "micro/sequences/aarch64/iq4_nl.rows.inc"

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_ROW_PAIRS, 4, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 4, seed);
}
#endif
