/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32, four rows interleaved by four bytes, without dot products: a lane is a row. Codes of 16 columns become signed bytes, their products by pairs
 * are added to words of rows 0 and 1 and of rows 2 and 3, which are joined at the end. 5 uops for the sums and their scales.
 *
 *   q4_0     signed codes in the upper half of a byte, 16 times the weight: a shift or a mask for 16 codes.
 *            2 x (4 decoded, 4 dup, 8 products, 4 added by pairs, addp), and 5: 47. Neoverse N1, N2: 2 vector pipes, for 4 output vectors: >= 5.88.
 *            V1, V2: 4 pipes: >= 2.94.
 *   iq4_nl   indices into a codebook of 16 bytes: tbl finds the values. 2 x (8 decoded, ...), and 5: 55. N1, N2: >= 6.88. V1, V2: >= 3.44.
 *
 *   v0-2 accumulators   v3, v17, v19, v25 halves of sums, activations, products   v12-15, d8 weights, their scales   v16, v20, s18 activations, their scale
 *   v21 mask   v22 codebook   v24, v29 temporaries   v30, v31 sums
 */
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
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             3
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef CODES_ARE_INDICES
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
#endif

.macro load_constants
    ldp q16, q20, [x1]
    ldr s18, [x1, 36]
#ifdef CODES_ARE_INDICES
    movi v21.16b, 0x0f
    ldr q22, .Lcodebook
#else
    movi v21.16b, 0xf0
#endif
.endm

.macro load_weights base, offset
    ldr d8, [\base, \offset]
    ldur q12, [\base, \offset + 8]
    ldur q13, [\base, \offset + 24]
    ldur q14, [\base, \offset + 40]
    ldur q15, [\base, \offset + 56]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v29.4s
.endm

/* high: of columns 16-31 */
.macro decode codes, high
#ifdef CODES_ARE_INDICES
    .if \high
    ushr v24.16b, v\codes\().16b, 4
    .else
    and v24.16b, v\codes\().16b, v21.16b
    .endif
    tbl v24.16b, {v22.16b}, v24.16b
#else
    .if \high
    and v24.16b, v\codes\().16b, v21.16b
    .else
    shl v24.16b, v\codes\().16b, 4
    .endif
#endif
.endm

/* two columns' products in 16 bits, complete where p is 1 or 3 */
.macro four codes, high, activations, sums, p
    decode \codes, \high
    dup v17.4s, v\activations\().s[\p]
    .if \p % 2 == 0
    smull v25.8h, v24.8b, v17.8b
    smull2 v19.8h, v24.16b, v17.16b
    .else
    smlal v25.8h, v24.8b, v17.8b
    smlal2 v19.8h, v24.16b, v17.16b
    .endif
    .if \p == 1
    saddlp v\sums\().4s, v25.8h
    saddlp v3.4s, v19.8h
    .endif
    .if \p == 3
    sadalp v\sums\().4s, v25.8h
    sadalp v3.4s, v19.8h
    .endif
.endm

.macro sixteen high, activations, sums
    four 12, \high, \activations, \sums, 0
    four 13, \high, \activations, \sums, 1
    four 14, \high, \activations, \sums, 2
    four 15, \high, \activations, \sums, 3
    addp v\sums\().4s, v\sums\().4s, v3.4s
.endm

.macro group
    sixteen 0, 16, 30
    sixteen 1, 20, 31
    fcvtl v29.4s, v8.4h
    add v30.4s, v30.4s, v31.4s
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
