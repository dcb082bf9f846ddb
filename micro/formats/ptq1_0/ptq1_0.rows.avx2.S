/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0, a block of each of four rows: micro/formats/ptq1_0/rows.c in assembly. Digits are taken apart two at a time, as in ptq1_0_m16.lanes.avx2.
 * 156 uops issued: 140 of arithmetic, 16 loads. Golden Cove, on three ports: 2.92 cycles per output vector; Zen 5, on four: 2.19.
 *
 *   ymm0-2 accumulators   ymm4-7 weights   xmm12-15 scales   the others temporaries
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     112
#define ACTIVATION_BYTES 224
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define PTQ1_0_ROWS_START 160
#define PTQ1_0_ROWS_SCALE 192

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lnines: .fill 16, 2, 0x0009
.Lodd_nines: .fill 16, 2, 0x0900
.Lthrees: .fill 16, 2, 0x0003
.Lodd: .fill 16, 2, 0xff00
.Lones: .fill 16, 2, 1
.Ldigits:
    .rept 2
    .byte 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0
    .endr
    .rept 2
    .byte 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0
    .endr
    .text

.macro load_constants
.endm

.macro load_weights base, offset
    load_row 4, 12, \base, \offset
    load_row 5, 13, \base, %(\offset + 28)
    load_row 6, 14, \base, %(\offset + 56)
    load_row 7, 15, \base, %(\offset + 84)
.endm

.macro load_row number, scale, base, offset
    vmovdqu xmm\number, [\base + \offset]
    vinserti128 ymm\number, ymm\number, [\base + \offset + 12], 1
    vpbroadcastw xmm\scale, [\base + \offset + 26]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm9, \source
.endm

.macro join
    vpsrlw ymm3, ymm10, 8
    vpand ymm9, ymm11, [rip + .Lodd]
    vpor ymm3, ymm3, ymm9
.endm

.macro pair number
    join
    vmovdqa ymm9, [rip + .Ldigits]
    vpshufb ymm9, ymm9, ymm3
    products \number
    vmovdqa ymm9, [rip + .Ldigits + 32]
    vpshufb ymm9, ymm9, ymm3
    products %(\number + 1)
.endm

.macro products number
    .if \number
    vpmaddubsw ymm9, ymm9, [rsi + 32 * \number]
    vpaddw ymm8, ymm8, ymm9
    .else
    vpmaddubsw ymm8, ymm9, [rsi]
    .endif
.endm

.macro row from, scale
    vpmaddubsw ymm11, ymm\from, [rip + .Lodd_nines]
    vpmaddubsw ymm10, ymm\from, [rip + .Lnines]
    pair 0
    vpmaddubsw ymm11, ymm11, [rip + .Lnines]
    vpmaddubsw ymm10, ymm10, [rip + .Lnines]
    pair 2
    vpmaddubsw ymm11, ymm11, [rip + .Lthrees]
    vpmaddubsw ymm10, ymm10, [rip + .Lthrees]
    join
    vpmaddubsw ymm3, ymm3, [rsi + 128]
    vpaddw ymm8, ymm8, ymm3
    vpmaddwd ymm10, ymm8, [rip + .Lones]
    vpaddd ymm10, ymm10, [rsi + PTQ1_0_ROWS_START]
    vcvtdq2ps ymm10, ymm10
    vcvtph2ps ymm9, xmm\scale
    vmulps ymm9, ymm9, [rsi + PTQ1_0_ROWS_SCALE]
    dot ymm10
.endm

.macro group
    row 4, 12
    row 5, 13
    row 6, 14
    row 7, 15
.endm

    sequence_functions
#else
#include "micro/formats/ptq1_0/ptq1_0_rows.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    ptq1_0_rows_refer(data, dot, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_rows_fill(weights, activations, -1, seed);
}
#endif
