/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2_4, lanes are 16 rows: codebook_lanes.avx512.inc. Of a line of 64 bytes, 256 weights: a spread, a rotation, a shift, 2 vpternlogd, 4 each of
 * vpermb and vpdpbusd, vpmulld (2 uops), an addition; of four 5 less 1 more.
 * Golden Cove at 512 bits: 68 on p05 (21 of them on p5 only): 34 cycles, 1.06 per output vector, 1.24 times q2_k_m16.lanes. Zen 5: 64 on four
 * pipes, of which 20 on two that shuffle and 22 on two that multiply, 0.50, and measured 0.68, 1.45 times: the pipes are chosen where operations
 * are dispatched, and pairs of vpermb and vpdpbusd alone, which share one of three, take 0.79 cycles instead of 0.67. Where the number
 * was shifted beside the codes it took a shift a line more, 0.73.
 * 78 uops issued: 68 of arithmetic, 6 loads, 4 copies.
 *
 *   Registers: codebook_quarter.avx512.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       78
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     328 /* a quarter of a block, and of its d, which rows share by fours here */
#define ACTIVATION_BYTES 512
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/codebook_quarter.avx512.inc"

    sequence_functions
#else
#include "micro/sequences/codebook_lanes.h"

static const struct codebook_lanes format = {16, 2, 2, true};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
