/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ELUT(5, 2), mirrored (layout: micro/formats/elut5/layout.h), a tile of 16 rows: a sum of two activations, each -2 … 2 times, is within
 * 508, 63 h + l with l within 31 and h within 8, so that 4 look-ups of l and all 8 of h fit signed bytes. A sign is put above its index by
 * bit, and tbl looks it up in two registers, the second the first negated. Once a tile saddw adds l, twice, and smlal 63 h.
 * 4 shifts and 4 ANDs for the indices, 7 shifts and 8 bit for the signs, 16 tbl, 13 add, and 2 x (2 saddw, smlal): 58 uops for 8 output
 * vectors, where TL1 takes 42.
 * Neoverse N1, N2: 58 uops on 2 vector pipes: >= 3.63. V1: 4 pipes, tbl on two of them: >= 1.81. Of SVE with 256 bits, whose bit (bsl) is of
 * SVE2, V1 has 2 pipes, and and with orr in place of it make 72 uops for 16 output vectors: >= 2.25.
 *
 *   v0-11 accumulators: rows 0-7, rows 8-15, in turns   v12-15 indices   v16 signs   v17 mask 0x10   v18 mask 0x0f   v19 63s
 *   v20-23 tables: l, -l, h, -h   v24-27 temporaries   v28, v29 sums of l of the first and the last four pairs   v30 sum of h
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.0
#define WEIGHT_BYTES     80
#define ACTIVATION_BYTES 66
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define GROUP_DOTS       2
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#define BASE 63

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q20, q21, [x1]
    ldp q22, q23, [x1, 32]
    movi v17.16b, 0x10
    movi v18.16b, 0x0f
    movi v19.16b, BASE
.endm

.macro load_weights base, offset
    ldr q12, [\base, \offset]
    ldr q13, [\base, \offset + 16]
    ldr q14, [\base, \offset + 32]
    ldr q15, [\base, \offset + 48]
    ldr q16, [\base, \offset + 64]
.endm

/* the lower rows, then the upper ones */
.macro dot_into number, source
    .if dot_upper
    saddw2 v\number\().8h, v\number\().8h, v28.16b
    saddw2 v\number\().8h, v\number\().8h, v29.16b
    smlal2 v\number\().8h, v30.16b, v19.16b
    .else
    saddw v\number\().8h, v\number\().8h, v28.8b
    saddw v\number\().8h, v\number\().8h, v29.8b
    smlal v\number\().8h, v30.8b, v19.8b
    .endif
    .set dot_upper, \source
.endm

/* the sign of a pair, bit 7 - which, to bit 4 of v24 */
.macro sign_above which
    .if \which < 3
    ushr v25.16b, v16.16b, 3 - \which
    bit v24.16b, v25.16b, v17.16b
    .elseif \which > 3
    shl v25.16b, v16.16b, \which - 3
    bit v24.16b, v25.16b, v17.16b
    .else
    bit v24.16b, v16.16b, v17.16b
    .endif
.endm

/* first: nothing has been found before */
.macro find to, from, first
    .if \first
    tbl \to\().16b, {\from}, v24.16b
    .else
    tbl v26.16b, {\from}, v24.16b
    add \to\().16b, \to\().16b, v26.16b
    .endif
.endm

.macro look_up which, indices, low
    .if \which % 2
    ushr v24.16b, \indices\().16b, 4
    .else
    and v24.16b, \indices\().16b, v18.16b
    .endif
    sign_above \which
    find \low, <v20.16b, v21.16b>, %(\which % 4 == 0)
    find v30, <v22.16b, v23.16b>, %(\which == 0)
.endm

.macro group
    .set dot_upper, 0
    look_up 0, v12, v28
    look_up 1, v12, v28
    look_up 2, v13, v28
    look_up 3, v13, v28
    look_up 4, v14, v29
    look_up 5, v14, v29
    look_up 6, v15, v29
    look_up 7, v15, v29
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
        for (uint32_t pair = 0; pair < 8; pair++) {
            int32_t value = lookup_tile_value(data->weights, 16, dot * 8 + word, pair, elut5_value, activations);
            words[word] = (uint16_t)(words[word] + value);
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 2, &seed);
    signed_lookup_tables(activations, elut5_value, values, BASE);
}
#endif
