/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, the 4-bit of [envelope, IV-D], with the look-ups of its 2-bit sequence: nibbles masked, translated by vpshufb to
 * 12 + 2 value, multiplied. A block of 32 weights of 8 rows, with its scale (micro/formats/mxfp4/mxfp4.h): 4 shifts, 8 AND, 8
 * vpshufb, 8 dot products, then the sum to float, scales to exponents (vpmovzxbd, vpslld 23), one multiply-add: 32
 * uops of arithmetic and the load of -12 sum a, from which the block's sum starts, for 8 output vectors. 33 uops
 * issued: 32 of arithmetic, 1 load.
 *
 *   Golden Cove        32 uops on p015; vpdpbusd, shifts, conversion and multiply-add p01: 15: >= 1.333
 *
 * Without scales 28: 1.167. The target of 0.85 is out of reach: two dot products, two look-ups and an index for the high
 * nibble that only p01 can shift down are 7 uops for two vectors, and e2m1 is no sum over its bits, so that a mask in place
 * cannot stand for a look-up as in int4_vnni4.prefix (0.5). With GFNI, 6: mxfp4.affine.
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

#include "micro/isa/dot.avx_vnni.inc"
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
