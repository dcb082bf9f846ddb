/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 [bitnet-cpp, 3.1, 3.2], exact look-ups of 16-bit sums: byte r holds for row r the index of weights 0, 1 in its lower and of
 * 2, 3 in its upper nibble, 9 of 16. The table of a pair is two of bytes, looked up apart and zipped to words: the paper's _1.
 * 1 shift, 1 AND, 4 tbl, 4 zip, 4 add: 14 uops for 2 output vectors. (Sums of 127 * 2 fill 16 bits after 129 pairs; to widen 16
 * rows takes 8 uops, 0.06 a vector, not in the group.)
 * Neoverse N1, N2: 14 uops on 2 vector pipes: >= 3.5. V1: 4 pipes, tbl on two of them: >= 1.75.
 *
 *   v0-11 accumulators: rows 0-7, rows 8-15, in turns   v16 weights   v18 mask 0x0f   v20-23 tables: low and high bytes of the
 *   first pair, of the second   v24-29 temporaries
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define ACTIVATION_BYTES 68
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
    ldp q22, q23, [x1, 32]
    movi v18.16b, 0x0f
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
.endm

.macro dot_into number, source
    add v\number\().8h, v\number\().8h, \source\().8h
.endm

.macro look_up index, low, high
    tbl v26.16b, {\low\().16b}, \index\().16b
    tbl v27.16b, {\high\().16b}, \index\().16b
    zip1 v28.16b, v26.16b, v27.16b
    zip2 v29.16b, v26.16b, v27.16b
    dot v28
    dot v29
.endm

.macro group
    and v24.16b, v16.16b, v18.16b
    ushr v25.16b, v16.16b, 4
    look_up v24, v20, v21
    look_up v25, v22, v23
.endm

    sequence_functions
#else
#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint32_t pair = dot / 2;
    const int8_t *activations = (const int8_t *)data->activations + 64 + 2 * pair;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 8; word++) {
        uint32_t index = (uint32_t)(data->weights[dot % 2 * 8 + word] >> 4 * pair) & 15;
        words[word] = (uint16_t)(words[word] + tl1_value(index, activations));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_tables(activations + 32 * pair, activations + 32 * pair + 16, tl1_value, values + 2 * pair, 1, 256);
}
#endif
