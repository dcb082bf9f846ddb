/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q1_0_m16, lanes are 16 rows: fields_lanes.avx512_vnni.inc. Of 16 rows 32 ANDs and 32 vpdpbusd; 7 shifts, 3
 * additions and 3 zeros for the sums, 5 for scales.
 * Golden Cove at 512 bits: 82 uops on p05, 0.64 cycles per output vector; Zen 5, four pipes, 0.32. 83 uops issued: 82 of arithmetic, 1 load.
 *
 *   zmm0-11 accumulators   the others: fields_lanes.avx512_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            4.5
#define FIELD_BITS       1
#define GROUP_DOTS       1
#define GROUP_UOPS       83
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/fields_lanes.avx512_vnni.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    load_scales <\base>, <\offset>
    load_lines <\base>, <\offset + 32>
.endm

.macro group
    group_of rsi
.endm

    sequence_functions
#else
#include "micro/sequences/fields.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    fields_refer_lanes(data, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    fields_fill_lanes(weights, activations, 16, seed);
}
#endif
