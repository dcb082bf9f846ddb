/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, four rows interleaved by four bytes, on 256 bits: a register has four columns of the rows
 * and the next four, whose sums stay apart until the end of a row. 2 x (lsl, and, 2 sdot), and 6 for the sums and their scales, which stand twice
 * in a register: 14 uops. What brings activations to every row serves all panels, and is left out.
 * Neoverse V1: 2 pipes of 256 bits, for 4 output vectors: >= 1.75, where 4 of 128 take 1.31.
 *
 *   z0-11 accumulators   z12, z13, z19 weights, their scales   z16, z17, z21, z22, z18 activations, their scale   z20 mask 0xf0
 *   z24, z25, z29 temporaries   z30 sums
 */
#define FORMAT           "q4_0_4x4"
#define SEQUENCE         "signed"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       14
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
/* words of columns 8 i … and 8 i + 4 … four times each */
.macro load_words to, at
    ld1rw {z24.s}, p0/z, [x1, \at]
    ld1rw {z25.s}, p0/z, [x1, \at + 4]
    sel z\to\().s, p1, z24.s, z25.s
.endm

.macro load_constants
    ptrue p0.b
    ptrue p1.s, vl4
    load_words 16, 0
    load_words 17, 8
    load_words 21, 16
    load_words 22, 24
    ld1rw {z18.s}, p0/z, [x1, 36]
    mov w9, 0x3d800000 /* 1 / 16 */
    mov z24.s, w9
    fmul z18.s, z18.s, z24.s
    mov z20.b, #0xf0
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ld1rd {z19.d}, p0/z, [x9]
    add x9, x9, 8
    ldr z12, [x9]
    ldr z13, [x9, #1, mul vl]
.endm

.macro products from, low, high
    lsl z24.b, z\from\().b, #4
    and z25.d, z\from\().d, z20.d
    sdot z30.s, z24.b, z\low\().b
    sdot z30.s, z25.b, z\high\().b
.endm

.macro dot_into number, source
    fmla z\number\().s, p0/m, \source\().s, z29.s
.endm

.macro group
    mov z30.s, #0
    uunpklo z29.s, z19.h
    fcvt z29.s, p0/m, z29.h
    products 12, 16, 21
    products 13, 17, 22
    fmul z29.s, z29.s, z18.s
    scvtf z30.s, p0/m, z30.s
    dot z30
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

/* a row's columns 4 i … 4 i + 3 and those 16 behind them are in lane row + 4 (i % 2) */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    (void)dot;
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t row = lane % 4;
        double scale = blocks_half(data->weights + 2 * row) * blocks_half(data->activations + BLOCK32_HALF);
        double magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            if (k / 4 % 2 != lane / 4)
                continue;
            int32_t product = block32_weight(BLOCK32_INTERLEAVED, 4, block32_signed, data->weights, row, k) * a[k];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 4, seed);
}
#endif
