/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q8_0_m16, offset by 128, lanes are 16 rows: block32_lanes.avx512_vnni.inc. A vpdpbusd a line, and 5 for 16 rows.
 * Golden Cove at 512 bits: 13 on p05 (1 on p5 only): 6.5 cycles, 0.41 per output vector; the chain of 8 vpdpbusd takes 40, so six
 * blocks must overlap. 14 uops issued: 13 of arithmetic, 1 load.
 *
 *   zmm0-11 accumulators   the others: block32_lanes.avx512_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     544
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define CODES_ARE_BYTES
#include "micro/families/block32/block32_lanes.avx512_vnni.inc"

.macro load_constants
.endm

.macro group
    group_of rsi
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_BYTES, 16, dot, NULL, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_BYTES, 16, seed);
    block32_fill_starts(activations, 128, false);
}
#endif
