/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 (layout: tl1.lookup1), look-ups in tables quantized to int8, which saddw widens while it adds: the paper's _0, which is
 * not lossless. 1 shift, 1 AND, 2 tbl, 4 saddw: 8 uops for 2 output vectors.
 * Neoverse N1, N2: 8 uops on 2 vector pipes: >= 2.0. V1: 4 pipes, tbl on two of them: >= 1.0.
 *
 *   v0-11 accumulators: rows 0-7, rows 8-15, in turns   v16 weights   v18 mask 0x0f   v20, v21 tables   v24-27 temporaries
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define ACTIVATION_BYTES 36
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define GROUP_DOTS       4
#define GROUP_VECTORS    2
#define LEAST            2
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q20, q21, [x1]
    movi v18.16b, 0x0f
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
.endm

/* the lower rows of a look-up, then the upper ones */
.macro dot_into number, source
    .if dot_upper
    saddw2 v\number\().8h, v\number\().8h, \source\().16b
    .else
    saddw v\number\().8h, v\number\().8h, \source\().8b
    .endif
    .set dot_upper, 1 - dot_upper
.endm

.macro group
    .set dot_upper, 0
    and v24.16b, v16.16b, v18.16b
    ushr v25.16b, v16.16b, 4
    tbl v26.16b, {v20.16b}, v24.16b
    tbl v27.16b, {v21.16b}, v25.16b
    dot v26
    dot v26
    dot v27
    dot v27
.endm

    sequence_functions
#else
#include "micro/families/lookup/lookup_table.h"

enum { DIVISOR = 2 }; /* 127 * 2 fits */

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint32_t pair = dot / 2;
    const int8_t *activations = (const int8_t *)data->activations + 32 + 2 * pair;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 8; word++) {
        uint32_t index = (uint32_t)(data->weights[dot % 2 * 8 + word] >> 4 * pair) & 15;
        words[word] = (uint16_t)(words[word] + lookup_quantize(tl1_value(index, activations), DIVISOR));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_table(activations + 16 * pair, tl1_value, values + 2 * pair, DIVISOR);
}
#endif
