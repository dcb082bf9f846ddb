/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24, asynchronous order [mixed-2-4-16, 5.3]: the uops of mixed24.fused.avx512, but the scales of the next step (2-order) are
 * dequantized while this one is multiplied. Golden Cove at 512 bits: 264 on p05: 132 cycles, 4.13 per output vector. Zen 5: 121 on its two
 * pipes that multiply, 1.89. 270 uops issued: 264 of arithmetic, 4 loads, 2 stores.
 * Zen 5 takes 2.23, fused 2.57; columns that are dequantized four ahead of their multiplication besides gain nothing. With groups of one step
 * overlapped, and the first scales of each step waited for, the order gained nothing either.
 * What a stream loads is one step, so as a stream it begins each step with its own scales, and makes the next ones in vain.
 *
 *   zmm0, zmm1 accumulators   the others: mixed24.floats.avx512.inc
 */
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            11.375
#define GROUP_DOTS       1
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     364
#define ACTIVATION_BYTES 256
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/families/mixed24/mixed24.overlapped.avx512.inc"

.macro load_constants
    load_codes
.endm

.macro load_weights base, offset
    load_columns \base, \offset
    load_parameters \base, \offset
    first_scales
.endm

.macro group
    group_of rsi
.endm

    sequence_functions
#else
#include "micro/families/mixed24/mixed24_floats.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    mixed24_floats_refer(data, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed24_floats_fill(weights, 16, activations, seed);
}
#endif
