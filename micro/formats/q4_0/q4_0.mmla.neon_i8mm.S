/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, four rows interleaved by eight bytes, for two tokens at a time
 * [arm-kernels-codebooks, 4.2; its Q4_0_4_8]: a register is 8 weights of 2 rows, smmla multiplies it with 8 activations of 2
 * tokens. The cycles are counted per weight; a product of one token leaves half of the work unused.
 * 4 x (shl, and, 2 smmla), and 11 for the sums and their scales. Registers: block32.mmla.inc.
 *
 * Neoverse N2: 27 uops on 2 vector pipes for 4 output vectors: >= 3.38. V1, V2: 4 pipes: >= 1.69.
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 72
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       2
#define GROUP_VECTORS    4
#define LEAST            2
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define MMLA_BITS 4
#define MMLA_MASK 0xf0
#include "micro/isa/mmla.neon_i8mm.inc"

.macro block32_constants
.endm

.macro decode from
    mmla_shift_up 24, \from
    mmla_and 25, \from
.endm

#include "micro/families/block32/block32.mmla_aarch64.inc"

    sequence_functions
#else
#include "micro/families/block32/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_pairs_refer(data, 4, dot, block32_signed, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_pairs_fill(weights, activations, 4, 16, seed);
}
#endif
