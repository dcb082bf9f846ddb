/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q8_0_m16, lanes are 8 rows: block32_lanes.avx2.inc. Bytes are made signed again, and the activations take their signs: of a line
 * vpxor, vpabsb, vpsignb, vpmaddubsw (at most 2 x 128 x 127), vpmaddwd and vpaddd; of 8 rows 4 more.
 * Golden Cove: 20 on p01, 16 on p15, 1 on p5, 15 anywhere: 52 on three ports, 2.17 cycles per output vector. Zen 3: 52 on four pipes,
 * 1.63. 61 uops issued: 52 of arithmetic, 9 loads.
 *
 *   ymm0-2 accumulators   xmm3 scales   ymm4-7, ymm12-15 weights   the others: block32_lanes.avx2.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     272
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODES_ARE_BYTES
#include "micro/families/block32/block32_lanes.avx2.inc"

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu xmm3, [\base + \offset]
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
    group_of rsi, xmm3
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
    block32_fill_starts(activations, 0, false);
}
#endif
