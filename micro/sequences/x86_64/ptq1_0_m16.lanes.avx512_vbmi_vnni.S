/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0_m16, a block of 16 rows whose lanes are rows: micro/kernels/ptq1_0_m16/lookups_512.h in assembly. Digits come without a multiplication
 * (tq1_0_codes.h): of a line a shift, 2 vpermb and 2 vpaddb to two codes, 5 vpermb to the digits, 5 products; three lines go through each step together.
 * Of a block 6 lines, 16 for the last two bytes of each row, 7 of sums and their scale.
 * Golden Cove at 512 bits: 113 on two ports, 46 of them on p5 only: 0.88 cycles per output vector; Zen 5, on four: 0.44.
 *
 *   zmm0 accumulator   zmm1-6 lines   ymm7 the last bytes   ymm8 d   zmm9-11 sums of lines   zmm12-14 codes of digits 0 and 1
 *   zmm15-17 codes of the others   zmm18, zmm26 digits, d   zmm19, zmm20 to the codes   zmm21-25 digits by codes
 */
#define FORMAT           "ptq1_0_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       1
#define GROUP_UOPS       116
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
#include "micro/sequences/x86_64/tq1_0_codes.h"

    .section .rodata
    .balign 64
.Ltables:
    .byte TQ1_0_TO_UPPER
    .byte TQ1_0_TO_LOWER
    .byte TQ1_0_DIGIT_0
    .byte TQ1_0_DIGIT_1
    .byte TQ1_0_DIGIT_2
    .byte TQ1_0_DIGIT_3
    .byte TQ1_0_DIGIT_4

.macro load_constants
    lea rax, [rip + .Ltables]
    .irp table, 0, 1, 2, 3, 4, 5, 6
    load_line %(19 + \table), rax, %(64 * \table)
    .endr
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
    vfmadd231ps zmm\number, zmm18, \source
.endm

.macro places from, upper, lower
    vpsrlw zmm18, zmm\from, 2
    vpermb zmm\upper, zmm18, zmm19
    vpermb zmm\lower, zmm18, zmm20
.endm

.macro codes from, upper, lower
    vpaddb zmm\upper, zmm\from, zmm\upper
    vpaddb zmm\lower, zmm\from, zmm\lower
.endm

.macro each_digit number, code, from
    .irp i, 0, 1, 2
    digit_of %(21 + \number), %(\code + \i), %(9 + \i), %(5 * (\from + \i) + \number)
    .endr
.endm

.macro digit_of table, code, sums, line
    vpermb zmm18, zmm\code, zmm\table
    vpdpbusd zmm\sums, zmm18, dword ptr [rsi + 4 * \line]{1to16}
.endm

.macro three_lines from
    .irp i, 0, 1, 2
    places %(1 + \from + \i), %(12 + \i), %(15 + \i)
    .endr
    .irp i, 0, 1, 2
    codes %(1 + \from + \i), %(12 + \i), %(15 + \i)
    .endr
    each_digit 0, 12, \from
    each_digit 1, 12, \from
    each_digit 2, 15, \from
    each_digit 3, 15, \from
    each_digit 4, 15, \from
.endm

/* of two bytes, digits \number and, 16 bits further up, \number + 2 */
.macro last sums, first, second, line
    vpermb zmm18, zmm12, zmm\first
    vpermb zmm26, zmm15, zmm\second
    vpslld zmm26, zmm26, 16
    vpord zmm18, zmm18, zmm26
    vpdpbusd zmm\sums, zmm18, dword ptr [rsi + 4 * \line]{1to16}
.endm

.macro group
    vpbroadcastd zmm9, dword ptr [rsi + PTQ1_0_START]
    vpxord zmm10, zmm10, zmm10
    vpxord zmm11, zmm11, zmm11
    three_lines 0
    three_lines 3
    vpmovzxwd zmm13, ymm7
    places 13, 12, 15
    codes 13, 12, 15
    last 9, 21, 23, 30
    last 10, 22, 24, 31
    vpaddd zmm9, zmm9, zmm10
    vpaddd zmm9, zmm9, zmm11
    vcvtdq2ps zmm9, zmm9
    vcvtph2ps zmm18, ymm8
    vmulps zmm18, zmm18, dword ptr [rsi + PTQ1_0_SCALE]{1to16}
    dot zmm9
.endm

    sequence_functions
#else
#include "micro/sequences/ptq1_0_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    ptq1_0_lanes_refer(data, 16, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_lanes_fill(weights, activations, 16, -1, seed);
}
#endif
