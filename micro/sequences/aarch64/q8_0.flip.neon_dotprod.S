/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0, four rows interleaved by four bytes, which are 128 more than the weights: sdot takes signed ones, so the upper bit is flipped. A
 * lane is a row, activations come by element. 8 x (eor, sdot), and 5 for the sums and their scales: 21 uops.
 *
 * Neoverse N1, N2: 2 vector pipes, for 4 output vectors: >= 2.63. V1, V2: 4 pipes: >= 1.31.
 *
 *   v0-11 accumulators   v12-15, v21-24, d19 weights, their scales   v16, v17, s18 activations, their scale   v20 mask 0x80
 *   v25, v29 temporaries   v30 sums
 */
#define FORMAT           "q8_0"
#define SEQUENCE         "flip"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define WEIGHT_BYTES     136
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       21
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q16, q17, [x1]
    ldr s18, [x1, 36]
    movi v20.16b, 0x80
.endm

.macro load_weights base, offset
    ldr d19, [\base, \offset]
    ldur q12, [\base, \offset + 8]
    ldur q13, [\base, \offset + 24]
    ldur q14, [\base, \offset + 40]
    ldur q15, [\base, \offset + 56]
    ldur q21, [\base, \offset + 72]
    ldur q22, [\base, \offset + 88]
    ldur q23, [\base, \offset + 104]
    ldur q24, [\base, \offset + 120]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v29.4s
.endm

.macro group
    movi v30.4s, 0
    fcvtl v29.4s, v19.4h
    eor v25.16b, v12.16b, v20.16b
    sdot v30.4s, v25.16b, v16.4b[0]
    eor v25.16b, v13.16b, v20.16b
    sdot v30.4s, v25.16b, v16.4b[1]
    eor v25.16b, v14.16b, v20.16b
    sdot v30.4s, v25.16b, v16.4b[2]
    eor v25.16b, v15.16b, v20.16b
    sdot v30.4s, v25.16b, v16.4b[3]
    eor v25.16b, v21.16b, v20.16b
    sdot v30.4s, v25.16b, v17.4b[0]
    eor v25.16b, v22.16b, v20.16b
    sdot v30.4s, v25.16b, v17.4b[1]
    eor v25.16b, v23.16b, v20.16b
    sdot v30.4s, v25.16b, v17.4b[2]
    eor v25.16b, v24.16b, v20.16b
    sdot v30.4s, v25.16b, v17.4b[3]
    fmul v29.4s, v29.4s, v18.s[0]
    scvtf v30.4s, v30.4s
    dot v30
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_BYTES, 4, dot, NULL, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_BYTES, 4, seed);
}
#endif
