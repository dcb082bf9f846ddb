/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2_16, lanes are 8 rows: codebook_lanes.256.inc.
 * As cb2_4 with the codebooks of each row in place of the number: made for 20 operations a quarter, where the number takes 8.
 * Golden Cove: 52 on p01, 38 on p15, 1 on p5, 57 anywhere: 148 on three ports, 3.08 cycles per output vector.
 * 203 uops issued: 148 of arithmetic, 41 loads, 14 copies.
 *
 *   Registers: codebook_quarter.256.inc
 */
#define FORMAT           "cb2_16"
#define SEQUENCE         "codebook"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       203
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     164 /* a quarter of a block of 8 rows, and of their d, which rows share by fours here */
#define ACTIVATION_BYTES 768
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VALUES_ARE_SIGNED
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODEBOOKS_OF_16
#include "micro/sequences/x86_64/codebook_quarter.256.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {8, 2, 4, false};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    codebook_lanes_refer(format, data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
