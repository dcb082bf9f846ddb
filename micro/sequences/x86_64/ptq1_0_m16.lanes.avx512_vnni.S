/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0_m16, a block of 16 rows whose lanes are rows: micro/kernels/ptq1_0_m16/lanes.h in assembly.
 * No digit is taken from its byte: 256 times the sum of digits is 3 times that of bytes y less that of 3 y modulo 256. Each of 32 lines of digits takes two
 * byte additions and two products; 7 make the last of two bytes of each row, 10 are of sums and their scale.
 * 182 uops issued: 145 of arithmetic, 37 loads. Golden Cove at 512 bits, on two ports: 1.13 cycles per output vector; Zen 5, on four: 0.57.
 *
 *   zmm0 accumulator   zmm1-6 lines   ymm7 the last bytes   ymm8 d   zmm9, zmm10, zmm14, zmm15 sums   zmm11, zmm12 bytes, d   zmm13 activations
 */
#define FORMAT           "ptq1_0_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       1
#define GROUP_UOPS       182
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     448
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
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
    vmovdqu32 ymm8, [\base + \offset]
    vmovdqu32 ymm7, [\base + \offset + 32]
    .irp line, 1, 2, 3, 4, 5, 6
    load_line \line, \base, %(\offset + 64 * \line)
    .endr
.endm

.macro load_line line, base, offset
    vmovdqu32 zmm\line, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm11, \source
.endm

/* a digit of each byte of \from, of which 3 times itself is left in zmm11 */
.macro digit from, line, now, next
    vpbroadcastd zmm13, dword ptr [rsi + 4 * \line]
    vpdpbusd zmm\now, zmm\from, zmm13
    vpaddb zmm12, zmm\from, zmm\from
    vpaddb zmm11, zmm\from, zmm12
    vpdpbusd zmm\next, zmm11, zmm13
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
    vpmovzxwd zmm11, ymm7
    vpaddb zmm12, zmm11, zmm11
    vpaddb zmm12, zmm12, zmm11
    vpaddb zmm13, zmm12, zmm12
    vpaddb zmm12, zmm13, zmm12
    vpslld zmm12, zmm12, 16
    vpord zmm11, zmm11, zmm12
    digit 11, 30, 9, 10
    digit 11, 31, 14, 15
.endm

.macro group
    vpbroadcastd zmm9, dword ptr [rip + .Lzero]
    vpbroadcastd zmm10, dword ptr [rsi + PTQ1_0_START]
    vpbroadcastd zmm14, dword ptr [rip + .Lzero]
    vpbroadcastd zmm15, dword ptr [rip + .Lzero]
    .irp number, 0, 2, 4
    lane %(1 + \number), %(5 * \number), 9, 10
    lane %(2 + \number), %(5 * \number + 5), 14, 15
    .endr
    last
    vpaddd zmm9, zmm9, zmm14
    vpaddd zmm10, zmm10, zmm15
    vpaddd zmm11, zmm9, zmm9
    vpaddd zmm9, zmm9, zmm11
    vpsubd zmm9, zmm9, zmm10
    vcvtdq2ps zmm9, zmm9
    vcvtph2ps zmm11, ymm8
    vbroadcastss zmm12, dword ptr [rsi + PTQ1_0_SCALE]
    vmulps zmm11, zmm11, zmm12
    dot zmm9
.endm

    sequence_functions
#else
#include "micro/sequences/ptq1_0_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    ptq1_0_lanes_refer(data, 16, 256, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_lanes_fill(weights, activations, 16, 256, seed);
}
#endif
