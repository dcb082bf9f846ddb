/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24, a step of 16 rows in the lanes: mixed24.lanes.avx512_vnni.inc, or with VBMI mixed24.lanes.avx512_vbmi_vnni.inc.
 * Golden Cove at 512 bits: 70 on p05 (4 of them on p5 only): 35 cycles, 1.09 per output vector; with VBMI 63 (11): 31.5, 0.98.
 *
 *   zmm0 accumulator   zmm16-20 codes   ymm21 words   xmm22 scale2   xmm23 zero2   the others: the .inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            11.375
#define GROUP_DOTS       1
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     364
#define ACTIVATION_BYTES 128
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/of_self.h"
#include OF_ISA(micro/families/mixed24/mixed24.lanes)
#include "micro/quantization/mixed24_layout.h"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vmovdqu32 zmm16, [\base + \offset + MIXED24_CODES2]
    vmovdqu32 zmm17, [\base + \offset + MIXED24_CODES2 + 64]
    vmovdqu32 zmm18, [\base + \offset + MIXED24_CODES2 + 128]
    vmovdqu32 zmm19, [\base + \offset + MIXED24_CODES4]
    vmovdqu32 zmm20, [\base + \offset + MIXED24_CODES4 + 64]
    vmovdqu32 ymm21, [\base + \offset + MIXED24_WORDS]
    vmovq xmm22, [\base + \offset + MIXED24_SCALE2]
    vpbroadcastd xmm23, [\base + \offset + MIXED24_ZERO2]
.endm

.macro group
    group_of rsi, zmm16, zmm17, zmm18, zmm19, zmm20, ymm21, xmm22, xmm23
.endm

    sequence_functions
#else
#include "micro/families/mixed24/mixed24_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed24_lanes_refer(data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed24_lanes_fill(weights, activations, seed);
}
#endif
