/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl_m16, codebook offset by 128, lanes are 16 rows: block32_lanes.avx512_vnni.inc. Of a line 1 shift, 2 ANDs, 2 vpshufb, 2
 * vpdpbusd; of 16 rows 5 more.
 * Golden Cove at 512 bits: 33 on p05 (9 of them on p5 only): 16.5 cycles, 1.03 per output vector. 34 uops issued: 33 of arithmetic, 1
 * load.
 *
 *   zmm0-11 accumulators   zmm30 codebook   zmm31 mask 0x0f   the others: block32_lanes.avx512_vnni.inc
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
#define CODES_ARE_INDICES
#include "micro/families/block32/block32_lanes.avx512_vnni.inc"

#include "micro/formats/iq4_nl_m16/iq4_nl_m16.offset.avx512_vnni.inc"

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
    block32_refer(data, BLOCK32_INTERLEAVED, 16, dot, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 16, seed);
    block32_fill_starts(activations, 128, false);
}
#endif
