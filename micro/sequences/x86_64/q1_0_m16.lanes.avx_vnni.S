/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q1_0_m16, lanes are 8 rows: fields_lanes.256.inc. Of 8 rows 12 shifts of lines, 32 ANDs, 32 vpdpbusd; to join the sums
 * 1 shift, 1 addition, zero; to scale them 4 more.
 * Golden Cove: 84 uops on three ports, 0.88 cycles per output vector; Zen 5, four pipes, 0.66. 118 uops issued: 84 of arithmetic, 34 loads.
 *
 *   ymm0-3 accumulators   ymm4-7 lines   xmm13 scales   the others: fields_lanes.256.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            4.5
#define FIELD_BITS       1
#define GROUP_DOTS       1
#define GROUP_UOPS       118
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/fields_lanes.256.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vmovdqu xmm13, [\base + \offset]
    vmovdqu ymm4, [\base + \offset + 16]
    vmovdqu ymm5, [\base + \offset + 48]
    vmovdqu ymm6, [\base + \offset + 80]
    vmovdqu ymm7, [\base + \offset + 112]
.endm

.macro load_line number, weights
    .set line_at, 4 + \number
.endm

.macro group
    group_of rsi, xmm13
.endm

    sequence_functions
#else
#include "micro/sequences/fields.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    fields_refer_lanes(data, 8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    fields_fill_lanes(weights, activations, 8, seed);
}
#endif
