/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2_4, lanes are 8 rows: codebook_lanes.256.inc.
 * Of a line of 32 bytes, 128 weights: a spread, a scale, 2 for the number, 2 ANDs, 3 shifts, 4 ORs, 4 each of vpshufb and vpdpbusd,
 * vpmulld (2 uops), an addition.
 * Golden Cove: 48 on p01, 20 on p15, 1 on p5, 31 anywhere: 100 on three ports, 2.08 cycles per output vector. Zen 5: 96 on four, 1.50, so no
 * order of these reads more than 6.8 of the 10 to 11 bytes a cycle that one core has from memory there, 0.65 of that roof; measured 1.9. What is
 * short of uops is the index: without vpternlogd and with vpshufb, which looks at bit 7, a field takes 2.25 to have its number beside it.
 * 134 uops issued: 100 of arithmetic, 22 loads, 12 copies.
 *
 *   Registers: codebook_quarter.256.inc
 */
#define FORMAT           "cb2_4"
#define SEQUENCE         "codebook"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       134
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     164 /* a quarter of a block of 8 rows, and of their d, which rows share by fours here */
#define ACTIVATION_BYTES 512
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/codebook_quarter.256.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {8, 2, 2, false};

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
