/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24. Fused order [mixed-2-4-16, 5]: the scales of a group are dequantized (2-order), then each of its 16 columns is (1-order) and is multiplied at once.
 * Synchronous order, buffered [mixed-2-4-16, 5.1]: the scales of all groups are dequantized, then 64 columns of weights to a buffer in the first-level cache,
 * then these are read and multiplied. The paper multiplies 16-bit weights, these are 32-bit ones, which x86 multiplies.
 * Asynchronous order, overlapped [mixed-2-4-16, 5.3]: the uops of fused, but the scales of the next step (2-order) are dequantized while this one is
 * multiplied: 270 uops issued: 264 of arithmetic, 4 loads, 2 stores. Zen 5 takes 2.23, fused 2.57; columns that are dequantized four ahead of their
 * multiplication besides gain nothing. With groups of one step overlapped, and the first scales of each step waited for, the order gained nothing either.
 * What a stream loads is one step, so as a stream it begins each step with its own scales, and makes the next ones in vain.
 * Golden Cove at 512 bits: 264 on p05 (fused: 61 shifts on p0, 67 permutations on p5): 132 cycles, 4.13 per output vector; buffered 66 stores, of which it
 * retires one line a cycle. Zen 5: 121 on its two pipes that multiply, 1.89. Fused, with two sums instead of four, each group's added up for itself, Zen 5
 * waited for the additions: 4.25 instead of 2.57.
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
#include "micro/of_self.h"
#include OF_SELF_PATH(micro/families/mixed24/mixed24.STEP.avx512.inc)

.macro load_constants
    load_codes
.endm

.macro load_weights base, offset
    load_columns \base, \offset
    load_parameters \base, \offset
#ifdef OVERLAPPED
    first_scales
#endif
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
