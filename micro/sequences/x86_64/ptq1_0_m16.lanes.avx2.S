/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptq1_0_m16, a block of 8 rows whose lanes are rows: micro/kernels/ptq1_0_m16/lanes.h in assembly.
 * Digits are taken apart two at a time: times 9 as words, a byte has a pair (0 … 8) in the upper byte, which vpshufb parts, and what is left in the
 * lower one; the fifth is the upper byte of 3 times what then remains. Words have the sums of a block (2 x 127 x 2 x 32). 6 x (6 vpmaddubsw, 9 to
 * join, 4 vpshufb, 10 of products and sums), 7 for what the last eight columns are made of and 11 for these, 7 of sums and their scale.
 * 258 uops issued: 198 of arithmetic, 60 loads. Golden Cove, on three ports: 2.06 cycles per output vector; Zen 5, on four: 1.55.
 *
 *   ymm0 accumulator   ymm1-6 lines   xmm7 the last bytes   xmm8 d   ymm9 sums   ymm10, ymm11 even and odd bytes   ymm12 pairs
 *   ymm13 digits, products   ymm14 activations
 */
#define FORMAT           "ptq1_0_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            7.0
#define GROUP_DOTS       1
#define GROUP_UOPS       258
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

/* digits in ymm13 */
.macro products line
    vpbroadcastd ymm14, dword ptr [rsi + 4 * \line]
    .if \line
    vpmaddubsw ymm13, ymm13, ymm14
    vpaddw ymm9, ymm9, ymm13
    .else
    vpmaddubsw ymm9, ymm13, ymm14
    .endif
.endm

/* the upper bytes of words of even and of odd bytes */
.macro join
    vpsrlw ymm12, ymm10, 8
    vpand ymm13, ymm11, [rip + .Lodd]
.endm

.macro pair even, odd, line
    vpmaddubsw ymm11, ymm\odd, [rip + .Lodd_nines]
    vpmaddubsw ymm10, ymm\even, [rip + .Lnines]
    both \line
.endm

/* what is left of odd bytes is in the lower byte of a word, too */
.macro next_pair line
    vpmaddubsw ymm11, ymm11, [rip + .Lnines]
    vpmaddubsw ymm10, ymm10, [rip + .Lnines]
    both \line
.endm

.macro both line
    join
    vpor ymm12, ymm12, ymm13
    vmovdqa ymm13, [rip + .Ldigits]
    vpshufb ymm13, ymm13, ymm12
    products \line
    vmovdqa ymm13, [rip + .Ldigits + 32]
    vpshufb ymm13, ymm13, ymm12
    products %(\line + 1)
.endm

.macro lane from, line
    pair \from, \from, \line
    next_pair %(\line + 2)
    vpmaddubsw ymm11, ymm11, [rip + .Lthrees]
    vpmaddubsw ymm10, ymm10, [rip + .Lthrees]
    join
    vpor ymm13, ymm12, ymm13
    products %(\line + 4)
.endm

/* two bytes, and 9 times them */
.macro last
    vpmovzxwd ymm11, xmm7
    vpaddb ymm12, ymm11, ymm11
    vpaddb ymm12, ymm12, ymm11
    vpaddb ymm13, ymm12, ymm12
    vpaddb ymm12, ymm13, ymm12
    vpslld ymm12, ymm12, 16
    vpor ymm12, ymm11, ymm12
    pair 12, 12, 30
.endm

.macro group
    .irp number, 0, 1, 2, 3, 4, 5
    lane %(1 + \number), %(5 * \number)
    .endr
    last
    vpmaddwd ymm9, ymm9, [rip + .Lones]
    vpbroadcastd ymm11, dword ptr [rsi + PTQ1_0_START]
    vpaddd ymm9, ymm9, ymm11
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
    ptq1_0_lanes_refer(data, 8, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ptq1_0_lanes_fill(weights, activations, 8, -1, seed);
}
#endif
