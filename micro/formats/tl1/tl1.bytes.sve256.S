/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 (layout: tl1.lookup1), exact look-ups added up as bytes, 32 rows at once: a sum of two activations is 23 h + l with l and h within 11
 * (254 = 23 * 11 + 1), so that 8 look-ups of each fit signed bytes. Once a group of 8 they are unpacked to words, which SVE does not do as
 * it adds. Tables are in both halves of a register.
 * 4 shifts, 4 ANDs, 16 tbl, 14 add, and 2 x (2 unpacked, add, mla): 46 uops for 16 output vectors.
 * Neoverse V1: 2 pipes of 256 bits: >= 1.44, where 4 of 128 take 1.31.
 *
 *   z0-11 accumulators: rows 0-15, rows 16-31, in turns   z12-15 weights   z18 mask 0x0f   z19 23s   z20-23 tables: l and h of the
 *   first pair, of the second   z24-27 temporaries   z28, z29 sums of l, h
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ptrue p0.b
    ld1rqb {z20.b}, p0/z, [x1]
    ld1rqb {z21.b}, p0/z, [x1, 16]
    ld1rqb {z22.b}, p0/z, [x1, 32]
    ld1rqb {z23.b}, p0/z, [x1, 48]
    mov z18.b, #0x0f
    mov z19.h, #23
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ldr z12, [x9]
    ldr z13, [x9, #1, mul vl]
    ldr z14, [x9, #2, mul vl]
    ldr z15, [x9, #3, mul vl]
.endm

/* the lower rows, then the upper ones */
.macro dot_into number, source
    .if dot_upper
    sunpkhi z26.h, z28.b
    sunpkhi z27.h, z29.b
    .else
    sunpklo z26.h, z28.b
    sunpklo z27.h, z29.b
    .endif
    add z\number\().h, z\number\().h, z26.h
    mla z\number\().h, p0/m, z27.h, z19.h
    .set dot_upper, \source
.endm

.macro look_up index, low, high
    tbl z26.b, {\low\().b}, \index\().b
    tbl z27.b, {\high\().b}, \index\().b
    add z28.b, z28.b, z26.b
    add z29.b, z29.b, z27.b
.endm

.macro look_up_both weights
    and z24.d, \weights\().d, z18.d
    lsr z25.b, \weights\().b, #4
    look_up z24, z20, z21
    look_up z25, z22, z23
.endm

.macro group
    .set dot_upper, 0
    and z24.d, z12.d, z18.d
    lsr z25.b, z12.b, #4
    tbl z28.b, {z20.b}, z24.b
    tbl z29.b, {z21.b}, z24.b
    look_up z25, z22, z23
    look_up_both z13
    look_up_both z14
    look_up_both z15
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
    for (uint32_t word = 0; word < 16; word++) {
        for (uint32_t quad = 0; quad < 4; quad++) {
            uint8_t byte = data->weights[32 * quad + dot * 16 + word];
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
