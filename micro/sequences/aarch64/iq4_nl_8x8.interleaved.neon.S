/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit indices into a codebook of 16 bytes, four of eight rows interleaved by eight bytes, without dot products.
 * 4 x (and, ushr, 2 tbl, 4 products, 2 added by pairs), 3 addp, and 4 for the sums and their scales: 47 uops.
 * Neoverse N1, N2: 2 vector pipes, for 4 output vectors: >= 5.88. V1, V2: 4 pipes: >= 2.94.
 *
 *   v0-11 accumulators   the others: block32.eights.neon.inc
 */
#define FORMAT           "iq4_nl_8x8"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       47
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define EIGHTS_BITS 0

    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro block32_constants
    movi v22.16b, 0x0f
    ldr q23, .Lcodebook
.endm

.macro decode from
    and v24.16b, v\from\().16b, v22.16b
    ushr v25.16b, v\from\().16b, 4
    tbl v24.16b, {v23.16b}, v24.16b
    tbl v25.16b, {v23.16b}, v25.16b
.endm

#include "micro/sequences/aarch64/block32.eights.neon.inc"

    sequence_functions
#else
#include "micro/sequences/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block32_eights_refer(data, 4, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_eights_fill(weights, activations, 4, 16, seed);
}
#endif
