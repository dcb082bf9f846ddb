/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24, a step of 16 rows, four to a register: sdot by element. Sums of 16 products of 2-bit codes fit 16 bits, so that zeros, and scales
 * as they lie in the words, serve eight rows at a time, and the product with the scale widens.
 *
 * 3 x 2 x (12 to unpack, 2 movi, 8 sdot, uzp1, 3 for the zeros, 5 for the scales, 2 smull, 2 scvtf, 2 fmla), less 2 for scales that a shift
 * brings; 4 x (dup, 4 to unpack, 4 sdot, scvtf, fmla) and 2 movi; 4 for the start of group 3 and scale2, 4 fmla: 282 uops, 8 of them loads.
 * Neoverse N1, N2: 266 on 2 vector pipes for 32 output vectors: >= 4.16. V1, V2: 4 pipes: >= 2.08.
 *
 *   v0 accumulator   v1 mask 0x03   v2, v3 sums of a pair of dots   v4 scale of the activations in word 0, minus the sums of groups 0, 1, 2 in
 *   halfwords 2, 3, 4   w14 minus that of group 3   v5 scale2   v6 activations, zero2   v7, v8 sums of a group   v9 codes, zeros, scales
 *   v10, v11 words   v12-23 codes of 2 bits, v24-31 of 4   x13 scale2 and w12 zero2 as they lie
 */
#define FORMAT           "mixed24"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            11.375
#define WEIGHT_BYTES     364
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 128
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       4
#define GROUP_UOPS       282
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/kernels/mixed24/layout.h"
#include "micro/sequences/mixed24_operand.h"

.macro load_constants
    ldr q4, [x1, MIXED24_SCALE]
    ldr w14, [x1, MIXED24_SUM]
    add x9, x1, MIXED24_STARTS + 4
    ld1 {v4.h}[2], [x9]
    add x9, x1, MIXED24_STARTS + 20
    ld1 {v4.h}[3], [x9]
    add x9, x1, MIXED24_STARTS + 36
    ld1 {v4.h}[4], [x9]
    movi v1.16b, 3
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ldp q12, q13, [x9, MIXED24_CODES2]
    ldp q14, q15, [x9, MIXED24_CODES2 + 32]
    ldp q16, q17, [x9, MIXED24_CODES2 + 64]
    ldp q18, q19, [x9, MIXED24_CODES2 + 96]
    ldp q20, q21, [x9, MIXED24_CODES2 + 128]
    ldp q22, q23, [x9, MIXED24_CODES2 + 160]
    ldp q24, q25, [x9, MIXED24_CODES4]
    ldp q26, q27, [x9, MIXED24_CODES4 + 32]
    ldp q28, q29, [x9, MIXED24_CODES4 + 64]
    ldp q30, q31, [x9, MIXED24_CODES4 + 96]
    ldp q10, q11, [x9, MIXED24_WORDS]
    ldr x13, [x9, MIXED24_SCALE2]
    ldr w12, [x9, MIXED24_ZERO2]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v4.s[0]
.endm

/* 16 columns of 2 bits of four rows */
.macro products sum, codes
    movi v\sum\().4s, 0
    and v9.16b, v\codes\().16b, v1.16b
    sdot v\sum\().4s, v9.16b, v6.4b[0]
    ushr v9.16b, v\codes\().16b, 2
    and v9.16b, v9.16b, v1.16b
    sdot v\sum\().4s, v9.16b, v6.4b[1]
    ushr v9.16b, v\codes\().16b, 4
    and v9.16b, v9.16b, v1.16b
    sdot v\sum\().4s, v9.16b, v6.4b[2]
    ushr v9.16b, v\codes\().16b, 6
    sdot v\sum\().4s, v9.16b, v6.4b[3]
.endm

.macro zeros words, g
    shl v9.8h, v\words\().8h, 14 - 2 * \g
    ushr v9.8h, v9.8h, 14
.endm

.macro scales words, g
    .if \g == 0
    shl v9.8h, v\words\().8h, 16 - MIXED24_SCALE_SHIFT_1
    ushr v9.8h, v9.8h, 12
    .elseif \g == 1
    shl v9.8h, v\words\().8h, 16 - MIXED24_SCALE_SHIFT_2
    ushr v9.8h, v9.8h, 13
    .else
    ushr v9.8h, v\words\().8h, MIXED24_SCALE_SHIFT_2
    .endif
    sbfx w10, w12, 8 * \g, 8
    dup v6.8h, w10
    sub v9.8h, v9.8h, v6.8h
.endm

.macro add_to number, sum, g
    .if \g == 0
    fmul v\number\().4s, v\sum\().4s, v5.s[\g]
    .else
    fmla v\number\().4s, v\sum\().4s, v5.s[\g]
    .endif
.endm

.macro group2 pair, g
    ldr q6, [x1, 16 * \g]
    products 7, %(12 + 4 * \g + 2 * \pair)
    products 8, %(13 + 4 * \g + 2 * \pair)
    uzp1 v7.8h, v7.8h, v8.8h
    zeros %(10 + \pair), \g
    mla v7.8h, v9.8h, v4.h[2 + \g]
    scales %(10 + \pair), \g
    smull v8.4s, v7.4h, v9.4h
    smull2 v7.4s, v7.8h, v9.8h
    scvtf v8.4s, v8.4s
    scvtf v7.4s, v7.4s
    add_to 2, 8, \g
    add_to 3, 7, \g
.endm

/* 16 columns of 4 bits of four rows */
.macro group4 to, codes, second
    dup v7.4s, w15
    and v9.16b, v\codes\().16b, v8.16b
    sdot v7.4s, v9.16b, v6.4b[0]
    ushr v9.16b, v\codes\().16b, 4
    sdot v7.4s, v9.16b, v6.4b[1]
    and v9.16b, v\second\().16b, v8.16b
    sdot v7.4s, v9.16b, v6.4b[2]
    ushr v9.16b, v\second\().16b, 4
    sdot v7.4s, v9.16b, v6.4b[3]
    scvtf v7.4s, v7.4s
    fmla v\to\().4s, v7.4s, v5.s[3]
.endm

.macro pair_of_dots pair
    group2 \pair, 0
    group2 \pair, 1
    group2 \pair, 2
    ldr q6, [x1, 48]
    movi v8.16b, 15
    group4 2, %(24 + 2 * \pair), %(28 + 2 * \pair)
    group4 3, %(25 + 2 * \pair), %(29 + 2 * \pair)
    dot v2
    dot v3
.endm

.macro group
    fmov d5, x13
    sbfx w15, w12, 24, 8
    fcvtl v5.4s, v5.4h
    mul w15, w15, w14
    pair_of_dots 0
    pair_of_dots 1
.endm

    sequence_functions
#else
#include "micro/sequences/mixed24_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed24_lanes_refer(data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed24_lanes_fill(weights, activations, seed);
}
#endif
