/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24, a step of 16 rows in the lanes of two registers: mixed24.lanes.256.inc. Weights come from the first-level cache.
 * Golden Cove, AVX2: 101 on p01, 9 on p15 or p5, 70 anywhere: 180 on three ports, 1.88 cycles per output vector. AVX-VNNI: 93, 9 and 38: 140, 1.46.
 *
 *   ymm0, ymm1 accumulators   the others: the .inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            11.375
#define GROUP_DOTS       2
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     364
#define ACTIVATION_BYTES 128
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/quantization/mixed24_layout.h"
#include "micro/families/mixed24/mixed24.lanes.256.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    lea rax, [\base + \offset]
.endm

.macro group
    group_of rsi, rax
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
