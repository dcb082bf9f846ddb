/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, whose grid is a stand-in for that of IQ2_S (micro/kernels/iq2_s_standin/grid.inc), on 256 bits: the numbers of
 * four vectors are put together in double words, a gather loads these from a table of 8 KB in the first-level cache, and where a bit says so they
 * are negated under a mask. sdot adds the sums of two groups, to which tbl brings their scales. The group reads a block's bytes itself, each in
 * the form that it needs: what load_weights leaves are their addresses.
 *
 * 8 x (11 and 5 loads), 5 for the scales and their load, 5 for the end and its load. 140 uops issued: 98 of arithmetic, 42 loads.
 * Neoverse V1: 2 pipes of 256 bits for 8 output vectors: >= 6.13, what gathers take beside it left out, where 4 of 128 take 4.50.
 *
 *   z0-3 accumulators   z4 scale of the activations   z5 a bit of each byte   z6 bytes of signs   z7 shifts   z12 scales   z16-z23 their places
 *   z13, z24-z29 temporaries   z31 sums   x9 grid   x10-x14 weights
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define WEIGHT_BYTES     82
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 272
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       140
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
    .text
    .balign 64
.Lgrid:
#define IQ2_S_VECTOR(vector) .quad vector
#include "micro/kernels/iq2_s_standin/grid.inc"
.Lbit: .quad 0x8040201008040201

/* group numbers 2 i and 2 i + 1 in the lowest byte of four words each, the other bytes out of range, which tbl makes 0 */
.macro load_place register
    mov z\register\().d, z16.d
    add z\register\().s, z\register\().s, #2 * (\register - 16)
.endm

.macro load_constants
    ptrue p0.b
    ptrue p2.h, vl8
    ptrue p3.s, vl4
    add x9, x1, SCALE
    ld1rw {z4.s}, p0/z, [x9]
    adr x9, .Lbit
    ld1rd {z5.d}, p0/z, [x9]
    mov x9, 0x0101010101010101
    index z6.d, #0, x9
    index z7.d, #8, #-2
    mov w9, 0xffffff00
    mov z16.s, w9
    add w9, w9, 1
    mov z17.s, w9
    sel z16.s, p3, z16.s, z17.s
    .irp register, 17, 18, 19, 20, 21, 22, 23
    load_place \register
    .endr
    adr x9, .Lgrid
.endm

.macro load_weights base, offset
    add x10, \base, \offset
    add x11, x10, 66
    add x12, x10, 2
    add x13, x10, 34
    add x14, x10, 74
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z29.s
.endm

/* columns 32 i ... */
.macro columns i
    ld1rb {z24.d}, p0/z, [x11, #\i]
    ld1b {z25.d}, p0/z, [x12, #\i, mul vl]
    lsl z24.d, p0/m, z24.d, z7.d
    and z24.d, z24.d, #0x300
    orr z25.d, z25.d, z24.d
    ld1d {z25.d}, p0/z, [x9, z25.d, lsl #3]
    ld1rw {z26.s}, p0/z, [x13, #4 * \i]
    tbl z26.b, {z26.b}, z6.b
    and z26.d, z26.d, z5.d
    cmpne p1.b, p0/z, z26.b, #0
    neg z25.b, p1/m, z25.b
    mov z27.s, #0
    ldr z28, [x1, #\i, mul vl]
    sdot z27.s, z25.b, z28.b
    scaled %(16 + \i)
.endm

.macro scaled place
    tbl z28.b, {z12.b}, z\place\().b
    mla z31.s, p0/m, z27.s, z28.s
.endm

.macro group
    ld1b {z12.h}, p2/z, [x14]
    lsl z13.h, z12.h, #4
    orr z12.d, z12.d, z13.d
    and z12.b, z12.b, #0x0f
    add z12.b, z12.b, z12.b
    orr z12.b, z12.b, #0x01
    mov z31.s, #0
    columns 0
    columns 1
    columns 2
    columns 3
    columns 4
    columns 5
    columns 6
    columns 7
    ld1rh {z29.s}, p0/z, [x10]
    fcvt z29.s, p0/m, z29.h
    fmul z29.s, z29.s, z4.s
    scvtf z31.s, p0/m, z31.s
    dot z31
.endm

    sequence_functions
#else
#include "micro/sequences/iq2_s_standin.h"

/* lane l has four weights of each 32 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    iq2_s_refer(data, 8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    iq2_s_fill(weights, activations, seed);
}
#endif
