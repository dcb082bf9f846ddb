/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q8_0_m16, offset by 128, lanes are 8 rows: block32_lanes.avx_vnni.inc. A vpdpbusd a line, and 5 for 8 rows.
 * Golden Cove: 12 on p01, 1 on p5: 0.75 cycles per output vector, bound by p01; the chain of 8 vpdpbusd takes 40, so seven
 * blocks must overlap. 23 uops issued: 13 of arithmetic, 10 loads.
 *
 *   ymm0-3 accumulators   ymm4-7, ymm12-15 weights   xmm9 scales   the others: block32_lanes.avx_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     272
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODES_ARE_BYTES
#include "micro/families/block32/block32_lanes.avx_vnni.inc"

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu xmm9, [\base + \offset]
    vmovdqu ymm4, [\base + \offset + 16]
    vmovdqu ymm5, [\base + \offset + 48]
    vmovdqu ymm6, [\base + \offset + 80]
    vmovdqu ymm7, [\base + \offset + 112]
    vmovdqu ymm12, [\base + \offset + 144]
    vmovdqu ymm13, [\base + \offset + 176]
    vmovdqu ymm14, [\base + \offset + 208]
    vmovdqu ymm15, [\base + \offset + 240]
.endm

.macro load_line number, weights
    .set line_at, (4 + \number) + (\number / 4) * 4
.endm

.macro group
    group_of rsi, xmm9
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_BYTES, 8, dot, NULL, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_BYTES, 8, seed);
    block32_fill_starts(activations, 128, false);
}
#endif
