/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, eight rows interleaved so that a 32-bit lane is a group of one row and a register of 256 bits the same group of all: as with
 * four rows to a register of 128 bits [arm-kernels-codebooks, 4.1.1, 6.4]. Activations are in both halves of a register, each element of
 * which meets its half.
 *
 * 16 x (6 to unpack, ld1rqb, mov, 4 sdot, mla), 28 for the scales, 14 for the minima, 15 for the sums: 265 uops, 20 of them loads.
 * Neoverse V1: 245 on 2 pipes of 256 bits for 64 output vectors: >= 1.91, as with 4 of 128.
 *
 *   z0 accumulator   z1 activations, z2 sums of groups, h: elements are of z0-7 alone   z3-18 codes   z19-22 group bytes   z23, z24 d, dmin
 *   z25 mask 0x03   z26 mask 0x0f a word   z27 codes, minima, scales   z28 product   z29 sum   z30, z31 sums of minima, l and h
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define WEIGHT_BYTES     672
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 360 /* 16 l, 16 h, the scale, minus the scale behind the rest */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       2
#define GROUP_UOPS       265
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             1
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ptrue p0.b
    add x9, x1, 128
    add x10, x1, 320
    mov z25.b, #0x03
    mov z26.s, #0x0f
.endm

.macro load_line register, base
    ldr z\register, [\base, #\register - 3, mul vl]
.endm

.macro load_weights base, offset
    add x11, \base, \offset
    .irp register, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22
    load_line \register, x11
    .endr
    add x11, x11, 640
    ld1h {z23.s}, p0/z, [x11]
    ld1h {z24.s}, p0/z, [x11, #1, mul vl]
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source
.endm

.macro codes register, shift
    .if \shift == 0
    and z27.d, z\register\().d, z25.d
    .else
    lsr z27.b, z\register\().b, #\shift
    .if \shift < 6
    and z27.d, z27.d, z25.d
    .endif
    .endif
.endm

.macro scales register, shift
    .if \shift == 0
    and z27.d, z\register\().d, z26.d
    .else
    lsr z27.s, z\register\().s, #\shift
    and z27.d, z27.d, z26.d
    .endif
.endm

.macro whole_group number
    ld1rqb {z1.b}, p0/z, [x9, #\number * 16 - 128]
    mov z28.s, #0
    codes %(3 + \number), 0
    sdot z28.s, z27.b, z1.b[0]
    codes %(3 + \number), 2
    sdot z28.s, z27.b, z1.b[1]
    codes %(3 + \number), 4
    sdot z28.s, z27.b, z1.b[2]
    codes %(3 + \number), 6
    sdot z28.s, z27.b, z1.b[3]
    scales %(19 + \number / 4), %(\number % 4 * 8)
    mla z29.s, p0/m, z28.s, z27.s
.endm

.macro minima number, register
    lsr z27.b, z\register\().b, #4
    sdot z30.s, z27.b, z1.b[\number]
    sdot z31.s, z27.b, z2.b[\number]
.endm

.macro group
    ld1rqb {z1.b}, p0/z, [x10]
    ld1rqb {z2.b}, p0/z, [x10, #16]
    mov z29.s, #0
    mov z30.s, #0
    mov z31.s, #0
    minima 0, 19
    minima 1, 20
    minima 2, 21
    minima 3, 22
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    whole_group \number
    .endr
    ld1rw {z1.s}, p0/z, [x10, #32]
    ld1rw {z2.s}, p0/z, [x10, #36]
    lsl z31.s, z31.s, #7
    fcvt z27.s, p0/m, z23.h
    fcvt z28.s, p0/m, z24.h
    add z30.s, z30.s, z31.s
    scvtf z29.s, p0/m, z29.s
    fmul z27.s, z27.s, z1.s
    fmul z28.s, z28.s, z2.s
    scvtf z30.s, p0/m, z30.s
    dot z29.s, z27.s
    dot z30.s, z28.s
.endm

    sequence_functions
#else
#include "micro/sequences/q2_k_interleaved.h"

static const struct block256 eight_rows = {8, 8, 2};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block256_refer_q2_k(eight_rows, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q2_k_interleaved_fill(eight_rows, weights, activations, seed);
}
#endif
