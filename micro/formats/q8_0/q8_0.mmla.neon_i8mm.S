/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0, four rows by eight bytes, for two tokens at a time: no up-convert but the scales. The cycles are counted per weight.
 * 8 smmla, and 11 for the sums and their scales: 19 uops. Registers: q8_0.mmla.inc.
 *
 * Neoverse N2: 2 vector pipes, for 4 output vectors: >= 2.38. V1, V2: 4 pipes: >= 1.19.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define WEIGHT_BYTES     136
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 72
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       2
#define GROUP_VECTORS    4
#define LEAST            2
#define MOST             11
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define MMLA_BITS 0
#define MMLA_MASK 0x0f
#include "micro/isa/mmla.neon_i8mm.inc"
#include "micro/formats/q8_0/q8_0.mmla_aarch64.inc"

    sequence_functions
#else
#include "micro/families/block32/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_pairs_refer(data, 4, dot, NULL, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_pairs_fill(weights, activations, 4, 32, seed);
}
#endif
