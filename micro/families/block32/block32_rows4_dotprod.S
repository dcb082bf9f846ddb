/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32, four rows interleaved [arm-kernels-codebooks, 4.1.1]: each lane is a row, the activations come by element, one conversion serves four
 * rows. 5 uops for the sums and their scales.
 *
 *   q4_0     signed codes in the upper half of a byte [4.1.2, Fig. 4]: a shift to the left brings the lower one there, a mask leaves the upper one, both 16
 *            times the weight, which the conversion to float undoes. 4 x (shl, and, 2 sdot), and 5: 21.
 *            Neoverse N1, N2: 2 vector pipes for 4 output vectors: >= 2.63. V1, V2: 4 pipes: >= 1.31.
 *   iq4_nl   indices into a codebook of 16 bytes [6.3]: it stays in a register, a table look-up is all that a weight costs beside the mask or the shift.
 *            4 x (and, ushr, 2 tbl, 2 sdot), and 5: 29. N1, N2: >= 3.63. V1: 4 pipes, tbl on two of them: >= 1.81.
 *
 *   v0-11 accumulators   v12-15, d19 weights, their scales   v16, v17, s18 activations, their scale   v20 mask   v21 codebook
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
#ifdef CODES_ARE_INDICES
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
#endif

.macro load_constants
    ldp q16, q17, [x1]
    ldr s18, [x1, 36]
#ifdef CODES_ARE_INDICES
    movi v20.16b, 0x0f
    ldr q21, .Lcodebook
#else
    movi v20.16b, 0xf0
#endif
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

.macro columns codes, column
#ifdef CODES_ARE_INDICES
    and v24.16b, v\codes\().16b, v20.16b
    ushr v25.16b, v\codes\().16b, 4
    tbl v24.16b, {v21.16b}, v24.16b
    tbl v25.16b, {v21.16b}, v25.16b
#else
    shl v24.16b, v\codes\().16b, 4
    and v25.16b, v\codes\().16b, v20.16b
#endif
    sdot v30.4s, v24.16b, v16.4b[\column]
    sdot v30.4s, v25.16b, v17.4b[\column]
.endm

.macro group
    movi v30.4s, 0
    fcvtl v29.4s, v19.4h
    columns 12, 0
    columns 13, 1
    columns 14, 2
    columns 15, 3
    fmul v29.4s, v29.4s, v18.s[0]
#ifdef CODES_ARE_INDICES
    scvtf v30.4s, v30.4s
#else
    scvtf v30.4s, v30.4s, 4
#endif
    dot v30
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

#ifdef CODES_ARE_INDICES
#define VALUES block32_nonlinear
#else
#define VALUES block32_signed
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 4, dot, VALUES, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 4, seed);
}
#endif
