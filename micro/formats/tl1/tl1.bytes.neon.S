/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 (layout: tl1.lookup1), exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h within 11
 * (254 = 23 * 11 + 1), so that 8 look-ups of each fit signed bytes. Once a group of 8 they go to words: saddw adds l, smlal
 * adds 23 h.
 * 4 shifts, 4 ANDs, 16 tbl, 14 add, and 2 x (saddw, smlal): 42 uops for 8 output vectors, where the paper's exact look-up takes
 * 56.
 * Neoverse N1, N2: 42 uops on 2 vector pipes: >= 2.63. V1: 4 pipes, tbl on two of them: >= 1.31.
 *
 *   v0-11 accumulators: rows 0-7, rows 8-15, in turns   v12-15 weights   v18 mask 0x0f   v19 23s   v20-23 tables: l and h of the
 *   first pair, of the second   v24-27 temporaries   v28, v29 sums of l, h
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define GROUP_DOTS       2
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q20, q21, [x1]
    ldp q22, q23, [x1, 32]
    movi v18.16b, 0x0f
    movi v19.16b, 23
.endm

.macro load_weights base, offset
    ldr q12, [\base, \offset]
    ldr q13, [\base, \offset + 16]
    ldr q14, [\base, \offset + 32]
    ldr q15, [\base, \offset + 48]
.endm

/* the lower rows, then the upper ones */
.macro dot_into number, source
    .if dot_upper
    saddw2 v\number\().8h, v\number\().8h, v28.16b
    smlal2 v\number\().8h, v29.16b, v19.16b
    .else
    saddw v\number\().8h, v\number\().8h, v28.8b
    smlal v\number\().8h, v29.8b, v19.8b
    .endif
    .set dot_upper, \source
.endm

.macro look_up index, low, high
    tbl v26.16b, {\low\().16b}, \index\().16b
    tbl v27.16b, {\high\().16b}, \index\().16b
    add v28.16b, v28.16b, v26.16b
    add v29.16b, v29.16b, v27.16b
.endm

.macro look_up_both weights
    and v24.16b, \weights\().16b, v18.16b
    ushr v25.16b, \weights\().16b, 4
    look_up v24, v20, v21
    look_up v25, v22, v23
.endm

.macro group
    .set dot_upper, 0
    and v24.16b, v12.16b, v18.16b
    ushr v25.16b, v12.16b, 4
    tbl v28.16b, {v20.16b}, v24.16b
    tbl v29.16b, {v21.16b}, v24.16b
    look_up v25, v22, v23
    look_up_both v13
    look_up_both v14
    look_up_both v15
    dot 1
    dot 0
.endm

    sequence_functions
#else
#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 8; word++) {
        for (uint32_t quad = 0; quad < 4; quad++) {
            uint8_t byte = data->weights[16 * quad + dot * 8 + word];
            words[word] = (uint16_t)(words[word] + tl1_value(byte & 15u, activations) + tl1_value(byte >> 4u, activations + 2));
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_tables(activations + 32 * pair, activations + 32 * pair + 16, tl1_value, values + 2 * pair, 1, 23);
}
#endif
