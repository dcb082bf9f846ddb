/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0_m16, offset by 8, lanes are 8 rows: block32_lanes.avx_vnni.inc. Of a line 2 ANDs and 2 vpdpbusd; of 8 rows 7 more.
 * Golden Cove: 14 on p01, 1 on p5, 8 anywhere: 23 on three ports, 0.96 cycles per output vector.
 * 34 uops issued: 23 of arithmetic, 11 loads.
 *
 *   ymm0-3 accumulators   ymm4-7 weights   xmm14 scales   ymm12, ymm13 masks 0x0f, 0xf0   the others: block32_lanes.avx_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/families/block32/block32_lanes.avx_vnni.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vmovdqu xmm14, [\base + \offset]
    vmovdqu ymm4, [\base + \offset + 16]
    vmovdqu ymm5, [\base + \offset + 48]
    vmovdqu ymm6, [\base + \offset + 80]
    vmovdqu ymm7, [\base + \offset + 112]
.endm

.macro load_line number, weights
    .set line_at, 4 + \number
.endm

.macro group
    group_of rsi, xmm14
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_offset8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
    block32_fill_starts(activations, 8, true);
}
#endif
