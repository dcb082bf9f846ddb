/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit indices into a codebook of 16 bytes, four rows interleaved by eight bytes, for two tokens at a time: the layout and the
 * products of q4_0.mmla, with table look-ups in place of shifts and masks. The cycles are counted per weight.
 * 4 x (and, ushr, 2 tbl, 2 smmla), and 11 for the sums and their scales. Registers: block32.mmla.inc.
 *
 * Neoverse N2: 35 uops on 2 vector pipes for 4 output vectors: >= 4.38. V1: 4 pipes, tbl on two of them: >= 2.19.
 */
#define ORIGIN           "kneepoint"
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
#define MMLA_BITS 0
#define MMLA_MASK 0x0f
#include "micro/isa/mmla.neon_i8mm.inc"

    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro block32_constants
    mmla_codebook .Lcodebook
.endm

.macro decode from
    mmla_and 24, \from
    mmla_shift_down 25, \from
    mmla_look_up 24
    mmla_look_up 25
.endm

#include "micro/families/block32/block32.mmla_aarch64.inc"

    sequence_functions
#else
#include "micro/families/block32/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_pairs_refer(data, 4, dot, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_pairs_fill(weights, activations, 4, 16, seed);
}
#endif
