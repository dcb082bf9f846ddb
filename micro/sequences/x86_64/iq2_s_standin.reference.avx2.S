/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, as llama.cpp multiplies IQ2_S with AVX2, by its own instructions: each number is put together of two
 * bytes that are loaded, in integer registers; signs are masks of the activations, which vpmaddubsw multiplies with magnitudes, and vpmaddwd
 * scales; two sums. The bytes are loaded from the block each time, which stays in the first-level cache. The lanes are parts of one row.
 * Of 32 weights 20 instructions of integer registers make numbers, 5 look up, 5 make signs and 4 multiply and scale.
 *
 *   ymm0-2 accumulators   ymm3, ymm9 sums   ymm4 scales   ymm5 products   ymm6 magnitudes   ymm7 magnitudes, signs, scales   ymm8 activations
 *   ymm11, ymm12 lower, upper half of the signs, in both halves   xmm13 scales   xmm14 d   rax grid   rcx, rdx a number   r11 block
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       287
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     82
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/iq2_s_standin.vectors.inc"

    .section .rodata
    .balign 32
/* bytes 4 n … 4 n + 3, eight times each */
.Leight:
    .irp first, 0, 4, 8, 12
    .irp byte, 0, 1, 2, 3
    .fill 8, 1, \first + \byte
    .endr
    .endr
/* word n in all */
.Lspread:
    .irp word, 0, 2, 4, 6, 8, 10, 12, 14
    .rept 16
    .byte \word, \word + 1
    .endr
    .endr
.Lbit: .quad 0x8040201008040201, 0x8040201008040201, 0x8040201008040201, 0x8040201008040201
.Lnibble: .fill 32, 1, 0x0f
.Lunit: .fill 16, 2, 1

.macro load_constants
    lea rax, [rip + .Lgrid]
.endm

.macro load_weights base, offset
    lea r11, [\base + \offset]
    vpbroadcastw xmm14, word ptr [\base + \offset]
    vbroadcasti128 ymm11, [\base + \offset + 34]
    vbroadcasti128 ymm12, [\base + \offset + 50]
    vmovq xmm13, [\base + \offset + 74]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

/* rcx: number of vector 4 number + at */
.macro vector_number number, at
    movzx ecx, byte ptr [r11 + 66 + \number]
    shl ecx, 8 - 2 * (\at)
    and ecx, 0x300
    movzx edx, byte ptr [r11 + 2 + 4 * \number + \at]
    or ecx, edx
.endm

.macro columns number, signs, sums
    vector_number \number, 0
    vmovq xmm6, [rax + rcx * 8]
    vector_number \number, 1
    vpinsrq xmm6, xmm6, [rax + rcx * 8], 1
    vector_number \number, 2
    vmovq xmm7, [rax + rcx * 8]
    vector_number \number, 3
    vpinsrq xmm7, xmm7, [rax + rcx * 8], 1
    vinserti128 ymm6, ymm6, xmm7, 1
    vpshufb ymm7, ymm\signs, [rip + .Leight + 32 * (\number - \number / 4 * 4)]
    vpand ymm7, ymm7, [rip + .Lbit]
    vpcmpeqb ymm7, ymm7, [rip + .Lbit]
    vpxor ymm8, ymm7, [rsi + 32 * \number]
    vpsubb ymm8, ymm8, ymm7
    vpmaddubsw ymm5, ymm6, ymm8
    vpshufb ymm7, ymm4, [rip + .Lspread + 32 * \number]
    vpmaddwd ymm5, ymm5, ymm7
    vpaddd ymm\sums, ymm\sums, ymm5
.endm

.macro group
    vpsrlq xmm4, xmm13, 4
    vpunpcklqdq xmm4, xmm13, xmm4
    vpand xmm4, xmm4, [rip + .Lnibble]
    vpmovzxbw ymm4, xmm4
    vpaddw ymm4, ymm4, ymm4
    vpaddw ymm4, ymm4, [rip + .Lunit]
    vpxor xmm3, xmm3, xmm3
    vpxor xmm9, xmm9, xmm9
    columns 0, 11, 3
    columns 1, 11, 9
    columns 2, 11, 3
    columns 3, 11, 9
    columns 4, 12, 3
    columns 5, 12, 9
    columns 6, 12, 3
    columns 7, 12, 9
    vpaddd ymm3, ymm3, ymm9
    vcvtdq2ps ymm3, ymm3
    vcvtph2ps ymm7, xmm14
    vbroadcastss ymm8, dword ptr [rsi + SCALE]
    vmulps ymm7, ymm7, ymm8
    dot ymm3
.endm

    sequence_functions
#else
#include "micro/sequences/iq2_s_standin.h"

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
