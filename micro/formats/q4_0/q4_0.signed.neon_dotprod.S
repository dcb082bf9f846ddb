/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, four rows interleaved [arm-kernels-codebooks, 4.1.1, 4.1.2, Fig. 4]:
 * a shift to the left brings the lower code there, a mask leaves the upper one, both 16 times the weight, which the conversion
 * to float undoes. Each lane is a row: the activations come by element, one conversion serves four rows.
 * 4 x (shl, and, 2 sdot), and 5 for the sums and their scales.
 *
 * Neoverse N1, N2: 21 uops on 2 vector pipes for 4 output vectors: >= 2.63. V1, V2: 4 pipes: >= 1.31.
 *
 *   v0-11 accumulators   v12-15, d19 weights, their scales   v16, v17, s18 activations, their scale   v20 mask 0xf0
 *   v24, v25, v29 temporaries   v30 sums
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q16, q17, [x1]
    ldr s18, [x1, 36]
    movi v20.16b, 0xf0
.endm

.macro load_weights base, offset
    ldr d19, [\base, \offset]
    ldur q12, [\base, \offset + 8]
    ldur q13, [\base, \offset + 24]
    ldur q14, [\base, \offset + 40]
    ldur q15, [\base, \offset + 56]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v29.4s
.endm

.macro group
    movi v30.4s, 0
    fcvtl v29.4s, v19.4h
    shl v24.16b, v12.16b, 4
    and v25.16b, v12.16b, v20.16b
    sdot v30.4s, v24.16b, v16.4b[0]
    sdot v30.4s, v25.16b, v17.4b[0]
    shl v24.16b, v13.16b, 4
    and v25.16b, v13.16b, v20.16b
    sdot v30.4s, v24.16b, v16.4b[1]
    sdot v30.4s, v25.16b, v17.4b[1]
    shl v24.16b, v14.16b, 4
    and v25.16b, v14.16b, v20.16b
    sdot v30.4s, v24.16b, v16.4b[2]
    sdot v30.4s, v25.16b, v17.4b[2]
    shl v24.16b, v15.16b, 4
    and v25.16b, v15.16b, v20.16b
    sdot v30.4s, v24.16b, v16.4b[3]
    sdot v30.4s, v25.16b, v17.4b[3]
    fmul v29.4s, v29.4s, v18.s[0]
    scvtf v30.4s, v30.4s, 4
    dot v30
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 4, dot, block32_signed, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 4, seed);
}
#endif
