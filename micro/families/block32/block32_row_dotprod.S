/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32 codes of 4 bits with a half-precision scale, one row at a time [arm-kernels-codebooks, Fig. 2]: mask, shift, twice a subtraction of 8 (q4_0)
 * or a look-up in a codebook of 16 bytes (iq4_nl), 2 dot products; then for each block of each row the product of the scales and the sum as a float. The
 * four lanes hold parts of one row, so that a scalar scale serves 32 weights only.
 *
 * Neoverse N1, N2: 11 uops on 2 vector pipes: >= 5.5. V1, V2: 4 pipes, tbl of V1 on two of them: >= 2.75.
 *
 *   v0-11 accumulators   v12, h13 weights, their scale   v16, v17, s18 activations, their scale   v20 mask 0x0f   v21 eights or codebook
 *   v24-v27 temporaries
 */
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     18
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_VECTORS    1
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
    movi v20.16b, 0x0f
#ifdef CODES_ARE_INDICES
    ldr q21, .Lcodebook
#else
    movi v21.16b, 8
#endif
.endm

.macro load_weights base, offset
    ldr h13, [\base, \offset]
    ldur q12, [\base, \offset + 2]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v27.s[0]
.endm

.macro decode codes
#ifdef CODES_ARE_INDICES
    tbl v\codes\().16b, {v21.16b}, v\codes\().16b
#else
    sub v\codes\().16b, v\codes\().16b, v21.16b
#endif
.endm

.macro group
    and v24.16b, v12.16b, v20.16b
    ushr v25.16b, v12.16b, 4
    movi v26.4s, 0
    decode 24
    decode 25
    fcvt s27, h13
    sdot v26.4s, v24.16b, v16.16b
    sdot v26.4s, v25.16b, v17.16b
    fmul s27, s27, s18
    scvtf v26.4s, v26.4s
    dot v26
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

#ifdef CODES_ARE_INDICES
#define VALUES block32_nonlinear
#else
#define VALUES block32_offset8
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_ROW, 4, dot, VALUES, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 4, seed);
}
#endif
