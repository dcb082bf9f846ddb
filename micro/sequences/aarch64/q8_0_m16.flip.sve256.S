/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0, eight of sixteen rows interleaved by four bytes, which are 128 more than the weights: the upper bit is flipped. 8 x (eor, sdot), and 5
 * for the sums and their scales. Registers: block32.fours.sve256.inc, with weights in z8-11 as well.
 *
 * Neoverse V1: 21 uops on 2 pipes of 256 bits for 8 output vectors: >= 1.31.
 */
#define FORMAT           "q8_0_m16"
#define SEQUENCE         "flip"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define WEIGHT_BYTES     272
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       21
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             8
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro block32_constants
    mov z20.b, #0x80
.endm

.macro start
    mov z30.s, #0
.endm

.macro product_of from, four
    eor z24.d, z\from\().d, z20.d
    sdot z30.s, z24.b, z\four\().b
.endm

.macro products
    product_of 12, 16
    product_of 13, 17
    product_of 14, 21
    product_of 15, 22
    product_of 8, 23
    product_of 9, 26
    product_of 10, 27
    product_of 11, 28
.endm

#define FOURS_ARE_BYTES

#include "micro/sequences/aarch64/block32.fours.sve256.inc"

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_BYTES, 8, dot, NULL, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_BYTES, 8, seed);
}
#endif
