/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0_m16, offset by 8, lanes are 16 rows: block32_lanes.avx512_vnni.inc. A byte has two columns of a row, which meet two
 * activations: 2 ANDs and 2 vpdpbusd a line; of 16 rows 7 more: a shift, an addition, 2 conversions (3 uops), scales, multiply-add.
 * Golden Cove at 512 bits: 23 on p05 (1 on p5 only): 11.5 cycles, 0.72 per output vector. Zen 5, four pipes, of which two multiply:
 * >= 0.36. 25 uops issued: 23 of arithmetic, 2 loads.
 *
 *   zmm0-11 accumulators   zmm30, zmm31 masks 0xf0, 0x0f   the others: block32_lanes.avx512_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/families/block32/block32_lanes.avx512_vnni.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro group
    group_of rsi
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 16, dot, block32_offset8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 16, seed);
    block32_fill_starts(activations, 8, true);
}
#endif
