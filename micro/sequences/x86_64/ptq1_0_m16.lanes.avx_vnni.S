/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0_m16, a block of 8 rows whose lanes are rows: micro/kernels/ptq1_0_m16/lanes.h in assembly.
 * No digit is taken from its byte: 256 times the sum of digits is 3 times that of bytes y less that of 3 y modulo 256. Each of 32 lines of digits takes two
 * byte additions and two products; 7 make the last of two bytes of each row, 10 are of sums and their scale.
 * 182 uops issued: 145 of arithmetic, 37 loads. Golden Cove, on three ports: 1.51 cycles per output vector; Zen 5, on four: 1.13.
 *
 *   ymm0 accumulator   ymm1-6 lines   xmm7 the last bytes   xmm8 d   ymm9, ymm10, ymm14, ymm15 sums   ymm11, ymm12 bytes, d   ymm13 activations
 */
#define FORMAT           "ptq1_0_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       1
#define GROUP_UOPS       182
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     224
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/ptq1_0_operand.h"

    .section .rodata
    .balign 4
.Lzero: .long 0
    .text

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu xmm8, [\base + \offset]
    vmovdqu xmm7, [\base + \offset + 16]
    .irp line, 1, 2, 3, 4, 5, 6
    load_line \line, \base, %(\offset + 32 * \line)
    .endr
.endm

.macro load_line line, base, offset
    vmovdqu ymm\line, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm11, \source
.endm

/* a digit of each byte of \from, of which 3 times itself is left in ymm11 */
.macro digit from, line, now, next
    vpbroadcastd ymm13, dword ptr [rsi + 4 * \line]
    {vex} vpdpbusd ymm\now, ymm\from, ymm13
    vpaddb ymm12, ymm\from, ymm\from
    vpaddb ymm11, ymm\from, ymm12
    {vex} vpdpbusd ymm\next, ymm11, ymm13
.endm

/* lanes take turns with two pairs of sums: one pair's products, one after the other, take longer than everything else */
.macro lane from, line, now, next
    digit \from, \line, \now, \next
    .irp further, 1, 2, 3, 4
    digit 11, %(\line + \further), \now, \next
    .endr
.endm

/* two bytes, and 9 times them */
.macro last
    vpmovzxwd ymm11, xmm7
    vpaddb ymm12, ymm11, ymm11
    vpaddb ymm12, ymm12, ymm11
    vpaddb ymm13, ymm12, ymm12
    vpaddb ymm12, ymm13, ymm12
    vpslld ymm12, ymm12, 16
    vpor ymm11, ymm11, ymm12
    digit 11, 30, 9, 10
    digit 11, 31, 14, 15
.endm

.macro group
    vpbroadcastd ymm9, dword ptr [rip + .Lzero]
    vpbroadcastd ymm10, dword ptr [rsi + PTQ1_0_START]
    vpbroadcastd ymm14, dword ptr [rip + .Lzero]
    vpbroadcastd ymm15, dword ptr [rip + .Lzero]
    .irp number, 0, 2, 4
    lane %(1 + \number), %(5 * \number), 9, 10
    lane %(2 + \number), %(5 * \number + 5), 14, 15
    .endr
    last
    vpaddd ymm9, ymm9, ymm14
    vpaddd ymm10, ymm10, ymm15
    vpaddd ymm11, ymm9, ymm9
    vpaddd ymm9, ymm9, ymm11
    vpsubd ymm9, ymm9, ymm10
    vcvtdq2ps ymm9, ymm9
    vcvtph2ps ymm11, xmm8
    vbroadcastss ymm12, dword ptr [rsi + PTQ1_0_SCALE]
    vmulps ymm11, ymm11, ymm12
    dot ymm9
.endm

    sequence_functions
#else
#include "micro/sequences/ptq1_0_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    ptq1_0_lanes_refer(data, 8, 256, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_lanes_fill(weights, activations, 8, 256, seed);
}
#endif
