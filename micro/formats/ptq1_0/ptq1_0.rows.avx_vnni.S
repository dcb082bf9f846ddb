/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0, a block of each of four rows: micro/formats/ptq1_0/rows.c in assembly. No digit is taken from its byte: ptq1_0_m16.lanes.avx_vnni.
 * 124 uops issued: 116 of arithmetic, 8 loads. Golden Cove, on three ports: 2.42 cycles per output vector; Zen 5, on four: 1.81.
 *
 *   ymm0-3 accumulators   ymm4-7 weights   xmm12-15 scales   the others temporaries
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             4
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
.Lzero: .long 0
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

.macro digit from, number
    {vex} vpdpbusd ymm8, ymm\from, [rsi + 32 * \number]
    vpaddb ymm9, ymm\from, ymm\from
    vpaddb ymm11, ymm\from, ymm9
    {vex} vpdpbusd ymm10, ymm11, [rsi + 32 * \number]
.endm

.macro row from, scale
    vpbroadcastd ymm8, dword ptr [rip + .Lzero]
    vpbroadcastd ymm10, dword ptr [rip + .Lzero]
    digit \from, 0
    digit 11, 1
    digit 11, 2
    digit 11, 3
    digit 11, 4
    vpaddd ymm9, ymm8, ymm8
    vpaddd ymm8, ymm8, ymm9
    vpsubd ymm10, ymm8, ymm10
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
    ptq1_0_rows_refer(data, dot, 256, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_rows_fill(weights, activations, -256, seed);
}
#endif
