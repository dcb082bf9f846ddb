/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2_4, lanes are rows, twice 8 of them: codebook_lanes.256.inc.
 * Of a line of 32 bytes, 128 weights: a spread, 1.75 for the scale and 0.5 for numbers, 2 ANDs, 3 shifts, 4 ORs, 4 each of vpshufb and vpdpbusd,
 * vpmulld (2 uops), an addition; of a quarter 5 less 1 more.
 * Golden Cove: 96 on p01, 40 on p15, 2 on p5, 56 anywhere: 194 on three ports, 2.02 cycles per output vector. Zen 5, where vpmulld is one: 186 on four,
 * 1.45, so no order of these reads more than 7.1 of the 10 to 11 bytes a cycle that one core has from memory there, 0.67 of that roof. What is short
 * of uops is the index: without vpternlogd and with vpshufb, which looks at bit 7, a field takes 2.25 to have its number beside it. Two fields that
 * share an OR of their numbers need an AND more, for one of them has a bit 7; codes at bits 3:2 need a second table and numbers at bits 1:0,
 * which is a shuffle more for the two shifts that they save; look-ups of a code with a table a row, as of 16 codebooks, take 3.5 for the table where
 * numbers take 1.5. Values as polynomials of their codes take three products a field where a look-up and one are two.
 * 241 uops issued: 194 of arithmetic, 43 loads, 4 copies.
 *
 *   Registers: codebook_quarter.256.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       2
#define GROUP_UOPS       241
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     328 /* a quarter of a block, and of its d, which rows share by fours here */
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

static const struct codebook_lanes format = {16, 2, 2, false};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
