/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl_m16, lanes are 8 rows: block32_lanes.avx2.inc. The looked-up values take the signs of their activations, whose
 * magnitudes are known before the first row. Of a line 1 shift and twice an AND, vpshufb, vpsignb, vpmaddubsw, vpmaddwd, vpaddd; of 8 rows
 * 4 more.
 * Golden Cove: 24 on p01, 16 on p15, 1 on p5, 15 anywhere: 56 on three ports, 2.33 cycles per output vector. Zen 3: 56 on four pipes,
 * 1.75. 73 uops issued: 56 of arithmetic, 17 loads.
 *
 *   ymm0-3 accumulators   ymm4-7 weights   xmm14 scales   ymm9, ymm12, ymm13 ones, mask 0x0f, codebook
 *   the others: block32_lanes.avx2.inc
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
#define CODES_ARE_INDICES
#include "micro/families/block32/block32_lanes.avx2.inc"

#include "micro/formats/iq4_nl_m16/iq4_nl_m16.sign.avx2.inc"

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
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
    block32_fill_starts(activations, 0, false);
}
#endif
