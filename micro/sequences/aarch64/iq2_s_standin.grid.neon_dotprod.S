/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, whose grid is a stand-in for that of IQ2_S (micro/kernels/iq2_s_standin/grid.inc): the number of a
 * vector is put together in integer registers, three instructions, and the vector loaded from a table of 8 KB in the first-level cache.
 * A bit a weight becomes a mask by cmtst, which turns the magnitudes; sdot adds the four sums of a group, mla applies its scale.
 *
 * 32 x (3 and a load), 16 x 9, 10 for the scales, 6 for the end: 288 uops, of them 48 loads and 96 of integer registers. Neoverse N1, N2:
 * 144 on 2 vector pipes for 8 output vectors: >= 9.00. V1, V2: 4 pipes: >= 4.50.
 *
 *   v0-3 accumulators   s4 scale of the activations   v5 a bit of each byte   v6 mask 0x0f   v7 ones   v8, v9, d10, h11 weights
 *   v12 sums   v16-v23 bytes of signs   v24-v27 scales   v26, v28-v31 temporaries   x9 grid   x10-x14 weights   x15 a number
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
#define GROUP_UOPS       288
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
    .text
    .balign 64
.Lgrid:
#define IQ2_S_VECTOR(vector) .quad vector
#include "micro/kernels/iq2_s_standin/grid.inc"
/* bytes 2 n and 2 n + 1, eight times each */
.Leight:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .fill 8, 1, \byte
    .endr
.Lbit: .quad 0x8040201008040201, 0x8040201008040201

.macro load_constants
    adr x9, .Leight
    ldp q16, q17, [x9]
    ldp q18, q19, [x9, 32]
    ldp q20, q21, [x9, 64]
    ldp q22, q23, [x9, 96]
    ldr q5, .Lbit
    adr x9, .Lgrid
    ldr s4, [x1, SCALE]
    movi v6.8b, 0x0f
    movi v7.16b, 1
.endm

.macro load_weights base, offset
    ldr h11, [\base, \offset]
    ldur x10, [\base, \offset + 2]
    ldur x11, [\base, \offset + 10]
    ldur x12, [\base, \offset + 18]
    ldur x13, [\base, \offset + 26]
    ldur q8, [\base, \offset + 34]
    ldur q9, [\base, \offset + 50]
    ldur x14, [\base, \offset + 66]
    ldur d10, [\base, \offset + 74]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source\().4s, v28.s[0]
.endm

/* a vector, by byte `at` of x\indices and bits 2 v, 2 v + 1 of x14 */
.macro look_up to, v, indices, at
    .if \v < 4
    lsl x15, x14, 8 - 2 * (\v)
    .else
    lsr x15, x14, 2 * (\v) - 8
    .endif
    and x15, x15, 0x300
    bfxil x15, x\indices, 8 * (\at), 8
    ldr d\to, [x9, x15, lsl 3]
.endm

/* 16 columns */
.macro columns number, scales, lane
    look_up 28, %(2 * (\number)), %(10 + (\number) / 4), %((\number) % 4 * 2)
    look_up 29, %(2 * (\number) + 1), %(10 + (\number) / 4), %((\number) % 4 * 2 + 1)
    signed_columns \number, %(8 + (\number) / 8), %(16 + (\number) % 8), \scales, \lane
.endm

.macro signed_columns number, signs, bytes, scales, lane
    zip1 v28.2d, v28.2d, v29.2d
    tbl v29.16b, {v\signs\().16b}, v\bytes\().16b
    cmtst v29.16b, v29.16b, v5.16b
    ldr q30, [x1, \number * 16]
    eor v28.16b, v28.16b, v29.16b
    movi v31.4s, 0
    sub v28.16b, v28.16b, v29.16b
    sdot v31.4s, v28.16b, v30.16b
    mla v12.4s, v31.4s, v\scales\().s[\lane]
.endm

.macro four_groups number, scales
    columns \number, \scales, 0
    columns %(\number + 1), \scales, 1
    columns %(\number + 2), \scales, 2
    columns %(\number + 3), \scales, 3
.endm

.macro group
    and v24.8b, v10.8b, v6.8b
    ushr v25.8b, v10.8b, 4
    zip1 v24.16b, v24.16b, v25.16b
    add v24.16b, v24.16b, v24.16b
    add v24.16b, v24.16b, v7.16b
    uxtl2 v26.8h, v24.16b
    uxtl v24.8h, v24.8b
    uxtl2 v27.4s, v26.8h
    uxtl v26.4s, v26.4h
    uxtl2 v25.4s, v24.8h
    uxtl v24.4s, v24.4h
    movi v12.4s, 0
    four_groups 0, 24
    four_groups 4, 25
    four_groups 8, 26
    four_groups 12, 27
    fcvt s28, h11
    scvtf v12.4s, v12.4s
    fmul s28, s28, s4
    dot v12
.endm

    sequence_functions
#else
#include "micro/sequences/iq2_s_standin.h"

/* lane l has four weights of each 16 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    iq2_s_refer(data, 4, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    iq2_s_fill(weights, activations, seed);
}
#endif
