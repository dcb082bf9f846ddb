/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24, 8 rows, half a step. Fused order [mixed-2-4-16, 5]: the scales of a group are dequantized (2-order), then each of its 16 columns is (1-order) and
 * is multiplied at once. Synchronous order, buffered [mixed-2-4-16, 5.1]: the scales of all groups are dequantized, then 64 columns of weights to a buffer in
 * the first-level cache, then these are read and multiplied. Asynchronous order, overlapped [mixed-2-4-16, 5.3]: as fused, but the scales of the next half
 * (2-order) are dequantized while this one is multiplied; between columns two registers are free, so that a product and a difference take the place of one
 * multiply-subtract: 381 uops issued: 301 of arithmetic, 75 loads, 5 stores. What a stream loads is one half, so as a stream it begins each with its own
 * scales, and makes the next ones in vain.
 * Golden Cove: 217 on p01 (shifts, conversions, products): 108.5 cycles, 6.78 per output vector. Zen 5: 136 on its two pipes that multiply, 4.25. Fused, with
 * two sums instead of three, each group's added up for itself, Zen 5 waited for the additions: 10.5 instead of 5.67.
 *
 *   ymm0 accumulator   ymm1 0, 1, 2, 3 twice   the others: mixed24.floats.avx2.inc
 */
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            11.375
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     182 /* half a step, and half of its scale2 and zero2, which two groups share here */
#define ACTIVATION_BYTES 256
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/of_self.h"
#define TABLE 1
#include OF_SELF_PATH(micro/families/mixed24/mixed24.STEP.avx2.inc)

.macro load_constants
    load_codes
.endm

.macro load_weights base, offset
    load_half \base, \offset
#ifdef OVERLAPPED
    first_scales xmm10, xmm9
#endif
.endm

.macro group
#ifdef OVERLAPPED
    group_of rsi, xmm10, xmm10, xmm9
#else
    group_of rsi, xmm10, xmm9
#endif
.endm

    sequence_functions
#else
#include "micro/families/mixed24/mixed24_floats.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    mixed24_floats_refer(data, 8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed24_floats_fill(weights, 8, activations, seed);
}
#endif
