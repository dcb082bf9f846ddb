/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q4_0, eight of sixteen rows interleaved by four bytes: codes are unsigned, 8 more than the weight, so sums begin at -8 times the sum of the
 * activations. 4 x (and, lsr, 2 sdot), and 5 for the sums and their scales. Registers: block32.fours.sve256.inc.
 *
 * Neoverse V1: 21 uops on 2 pipes of 256 bits for 8 output vectors: >= 1.31.
 */
#define FORMAT           "q4_0_m16"
#define SEQUENCE         "offset"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 80
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       21
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/block32_operand.h"

.macro block32_constants
    mov z20.b, #0x0f
    ld1rw {z31.s}, p0/z, [x1, OPERAND_START]
.endm

.macro start
    mov z30.d, z31.d
.endm

.macro decode from
    and z24.d, z\from\().d, z20.d
    lsr z25.b, z\from\().b, #4
.endm

#include "micro/sequences/aarch64/block32.fours.sve256.inc"

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_offset8, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
    block32_fill_starts(activations, 8, false);
}
#endif
