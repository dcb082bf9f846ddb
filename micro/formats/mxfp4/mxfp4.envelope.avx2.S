/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, the 4-bit of [envelope, IV-D], with the look-ups of its 2-bit sequence: nibbles masked, translated by vpshufb to
 * 12 + 2 value, multiplied. Without VNNI each dot product is three instructions. A block of 32 weights of 8 rows, with its
 * scale (micro/formats/mxfp4/mxfp4.h): 4 shifts, 8 AND, 8 vpshufb, 24 of dot products, then the sum to float, scales to
 * exponents (vpmovzxbd, vpslld 23), one multiply-add: 48 uops of arithmetic, and the load of -12 sum a, from which
 * the block's sum starts, for 8 output vectors. 49 uops issued: 48 of arithmetic, 1 load.
 *
 *   Golden Cove        48 uops on p015; multiplications, shifts, conversion and multiply-add on p01: 23: >= 2.0
 *   Zen 3              48 on 4 pipes: >= 1.5
 *
 *   ymm0-5 accumulators   the others: mxfp4.envelope.inc
 */
#define ORIGIN           "envelope"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             6
#define WEIGHT_BYTES     136
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 288
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/isa/dot.avx2.inc"
#include "micro/formats/mxfp4/mxfp4.envelope.inc"

    sequence_functions
#else
#include "micro/formats/mxfp4/mxfp4.h"

enum { ROWS = 8, OFFSET = 12 };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    mxfp4_refer(data, ROWS, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mxfp4_fill(ROWS, OFFSET, weights, activations, seed);
}
#endif
