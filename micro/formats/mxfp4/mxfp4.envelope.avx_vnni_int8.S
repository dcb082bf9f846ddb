/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As mxfp4.envelope.avx_vnni, with the signed values themselves in the table and vpdpbssd: the sum that is loaded to start from
 * is zero. Lion Cove: 32 uops of arithmetic for 8 output vectors on four vector ports, dot products on two. 33 uops
 * issued: 32 of arithmetic, 1 load.
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
#define WEIGHTS_ARE_SIGNED
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/isa/dot.avx_vnni_int8.inc"
#include "micro/formats/mxfp4/mxfp4.envelope.inc"

    sequence_functions
#else
#include "micro/formats/mxfp4/mxfp4.h"

enum { ROWS = 8, OFFSET = 0 };

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
