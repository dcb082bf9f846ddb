/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0, one row at a time: no up-convert but the scale, and one sdot. 6 uops.
 * Neoverse V1: 2 pipes of 256 bits: >= 3.00, where 4 of 128 take 1.75.
 *
 *   z0-11 accumulators   z12, z13 weights, scale   z16, z18 activations, scale   z26, z27 temporaries
 */
#define FORMAT           "q8_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define WEIGHT_BYTES     34
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       6
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ptrue p0.b
    ldr z16, [x1]
    ld1rw {z18.s}, p0/z, [x1, 36]
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ld1rh {z13.s}, p0/z, [x9]
    add x9, x9, 2
    ldr z12, [x9]
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z27.s
.endm

.macro group
    mov z26.s, #0
    fcvt z27.s, p0/m, z13.h
    sdot z26.s, z12.b, z16.b
    fmul z27.s, z27.s, z18.s
    scvtf z26.s, p0/m, z26.s
    dot z26
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    block32_refer_row_bytes(data, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill_row_bytes(weights, activations, seed);
}
#endif
