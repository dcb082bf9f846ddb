/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mxfp4_m16, twice the values looked up, lanes are 8 rows: block32_lanes.avx2.inc. It differs from iq4_nl_m16.sign.avx2 in the scales, which are bytes of
 * exponents. 79 uops.
 *
 *   ymm0-3 accumulators   ymm4-7 weights   xmm14 scales   the others: block32_lanes.avx2.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     136
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODES_ARE_INDICES
#define SCALES_ARE_BYTES
#include "micro/families/block32/block32_lanes.avx2.inc"

#include "micro/formats/mxfp4_m16/mxfp4_m16.sign.avx2.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vmovq xmm14, qword ptr [\base + \offset]
    vmovdqu ymm4, [\base + \offset + 8]
    vmovdqu ymm5, [\base + \offset + 40]
    vmovdqu ymm6, [\base + \offset + 72]
    vmovdqu ymm7, [\base + \offset + 104]
.endm

.macro load_line number, weights
    .set line_at, 4 + \number
.endm

.macro group
    group_of rsi, xmm14
.endm

    sequence_functions
#else
#include "micro/formats/mxfp4/mxfp4_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    mxfp4_refer_lanes(data, 8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mxfp4_fill_lanes(weights, activations, 8, 0, seed);
}
#endif
