/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit in blocks of 256, each sub-block of 16 with a scale and a minimum of 4 bits, masks in place: the codes of bits 0-1, 2-3
 * and 4-5 stay where they are, and a sum of their own for each place is shifted down once a block; those of bits 6-7, negative
 * in place, are shifted. A register has the products of two sub-blocks, whose scales tbl brings to their words.
 *
 * 8 to unpack, 8 x (ldr, mov, sdot, tbl, mla), 5 for scales and minima and their 2 loads, 15 for the sums: 70 uops, 10 of them loads.
 * Neoverse V1: 60 on 2 pipes of 256 bits for 8 output vectors: >= 3.75, where 4 of 128 take 2.78.
 *
 *   z0-3 accumulators   z4 scale of the activations   z5-7 masks   z8, z9 codes   z10 group bytes   z11, z12 the same as words   z13, z14 d, dmin
 *   z15 activations   z16 mask 0x0f   z17-24 places of scales   z25 scales   z26 sum of minima   z27-29 sums   z30, z31 temporaries
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define WEIGHT_BYTES     84
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 352 /* the groups' sums in words behind the rest */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       70
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
/* numbers n and n + 1 in the lowest byte of four words each, the other bytes out of range, which tbl makes 0 */
.macro load_place register
    .if \register == 17
    mov w11, 0xffffff00
    mov z17.s, w11
    add w11, w11, 1
    mov z18.s, w11
    sel z17.b, p1, z17.b, z18.b
    .else
    mov z\register\().d, z17.d
    add z\register\().s, z\register\().s, #2 * (\register - 17)
    .endif
.endm

.macro load_constants
    ptrue p0.b
    ptrue p1.b, vl16
    add x9, x1, 320
    add x10, x1, 256
    ld1rw {z4.s}, p0/z, [x10]
    mov z5.b, #0x03
    mov z6.b, #0x0c
    mov z7.b, #0x30
    mov z16.b, #0x0f
    .irp register, 17, 18, 19, 20, 21, 22, 23, 24
    load_place \register
    .endr
.endm

.macro load_weights base, offset
    add x11, \base, \offset
    ld1rqb {z10.b}, p0/z, [x11]
    ld1b {z11.s}, p0/z, [x11]
    ld1b {z12.s}, p0/z, [x11, #1, mul vl]
    ld1rh {z13.s}, p0/z, [x11, 80]
    ld1rh {z14.s}, p0/z, [x11, 82]
    add x11, x11, 16
    ldr z8, [x11]
    ldr z9, [x11, #1, mul vl]
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z30.s
    fmls z\number\().s, p0/m, z26.s, z31.s
.endm

/* z31 the codes of a pair of sub-blocks */
.macro scaled_dot pair, sums, place
    ldr z15, [x1, #\pair, mul vl]
    mov z30.s, #0
    sdot z30.s, z31.b, z15.b
    tbl z31.b, {z25.b}, z\place\().b
    mla z\sums\().s, p0/m, z30.s, z31.s
.endm

.macro masked register, mask, pair, sums
    and z31.d, z\register\().d, z\mask\().d
    scaled_dot \pair, \sums, %(17 + \pair)
.endm

.macro half register, pair
    masked \register, 5, \pair, 27
    masked \register, 6, %(\pair + 1), 28
    masked \register, 7, %(\pair + 2), 29
    lsr z31.b, z\register\().b, #6
    scaled_dot %(\pair + 3), 27, %(17 + \pair + 3)
.endm

.macro group
    and z25.d, z10.d, z16.d
    lsr z26.s, z11.s, #4
    lsr z31.s, z12.s, #4
    ld1sh {z28.s}, p0/z, [x9]
    ld1sh {z29.s}, p0/z, [x9, #1, mul vl]
    mul z26.s, p0/m, z26.s, z28.s
    mla z26.s, p0/m, z31.s, z29.s
    mov z27.s, #0
    mov z28.s, #0
    mov z29.s, #0
    half 8, 0
    half 9, 4
    asr z28.s, z28.s, #2
    fcvt z30.s, p0/m, z13.h
    fcvt z31.s, p0/m, z14.h
    asr z29.s, z29.s, #4
    add z27.s, z27.s, z28.s
    scvtf z26.s, p0/m, z26.s
    fmul z30.s, z30.s, z4.s
    fmul z31.s, z31.s, z4.s
    add z27.s, z27.s, z29.s
    scvtf z27.s, p0/m, z27.s
    dot z27
.endm

    sequence_functions
#else
#include "micro/sequences/q2_k_row.h"

static uint32_t lane_of(uint32_t k)
{
    return k % 32 / 4;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q2_k_row_refer(data, 8, lane_of, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q2_k_row_fill(weights, activations, seed);
}
#endif
