/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, whose grid is a stand-in for that of IQ2_S (micro/kernels/iq2_s_standin/grid.inc): the numbers of four
 * vectors are put together in a register and the vectors loaded one by one from a table of 8 KB in the first-level cache, the activations
 * take the signs. The lanes are parts of one row.
 * Of 32 weights 5 instructions make the numbers, 11 look up, 5 make signs and 4 multiply and scale. 223 uops, of which 32 are of integer
 * registers and 34 load. Zen 5 takes 6.9 cycles per output vector, 8.2 with gathers.
 *
 *   ymm0-2 accumulators   ymm3 sums   ymm4 scales   ymm5 numbers, products   ymm6 magnitudes   ymm7 magnitudes, signs, scales   ymm8 activations
 *   ymm9, ymm10 lower, upper half of the indices, in both halves   ymm11, ymm12 signs, so   xmm13 upper bits and scales   xmm14 d
 *   rax grid   rcx, rdx, r11 numbers
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       223
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
    .section .rodata
    .balign 64
.Lgrid:
#define IQ2_S_VECTOR(vector) .quad vector
#include "micro/kernels/iq2_s_standin/grid.inc"
    .balign 32
/* bytes 4 n … 4 n + 3 as double words */
.Lfour:
    .irp first, 0, 4, 8, 12
    .irp byte, 0, 1, 2, 3
    .byte \first + \byte, 0x80, 0x80, 0x80
    .endr
    .endr
/* byte n as four double words */
.Lone:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .rept 4
    .byte \byte, 0x80, 0x80, 0x80
    .endr
    .endr
/* bytes 4 n … 4 n + 3, eight times each */
.Leight:
    .irp first, 0, 4, 8, 12
    .irp byte, 0, 1, 2, 3
    .fill 8, 1, \first + \byte
    .endr
    .endr
/* words of byte 2 n in the lower half, 2 n + 1 in the upper one */
.Lspread:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .rept 8
    .byte \byte, 0x80
    .endr
    .endr
.Lbit: .quad 0x8040201008040201, 0x8040201008040201, 0x8040201008040201, 0x8040201008040201
.Lshift: .long 8, 6, 4, 2
.Lupper: .fill 4, 4, 0x300
.Lnibble: .fill 16, 1, 0x0f
.Lunit: .fill 16, 1, 1
.Lzero: .fill 32, 1, 0

.macro load_constants
    lea rax, [rip + .Lgrid]
.endm

.macro load_weights base, offset
    vpbroadcastw xmm14, word ptr [\base + \offset]
    vbroadcasti128 ymm9, [\base + \offset + 2]
    vbroadcasti128 ymm10, [\base + \offset + 18]
    vbroadcasti128 ymm11, [\base + \offset + 34]
    vbroadcasti128 ymm12, [\base + \offset + 50]
    vmovdqu xmm13, [\base + \offset + 66]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

.macro columns number, indices, signs
    vpshufb xmm5, xmm\indices, [rip + .Lfour + 16 * (\number - \number / 4 * 4)]
    vpshufb xmm6, xmm13, [rip + .Lone + 16 * \number]
    vpsllvd xmm6, xmm6, [rip + .Lshift]
    vpand xmm6, xmm6, [rip + .Lupper]
    vpor xmm5, xmm5, xmm6
    vmovq rcx, xmm5
    vpextrq rdx, xmm5, 1
    mov r11d, ecx
    shr rcx, 32
    vmovsd xmm6, [rax + r11 * 8]
    vmovhpd xmm6, xmm6, [rax + rcx * 8]
    mov r11d, edx
    shr rdx, 32
    vmovsd xmm7, [rax + r11 * 8]
    vmovhpd xmm7, xmm7, [rax + rdx * 8]
    vinserti128 ymm6, ymm6, xmm7, 1
    vpshufb ymm7, ymm\signs, [rip + .Leight + 32 * (\number - \number / 4 * 4)]
    vpand ymm7, ymm7, [rip + .Lbit]
    vpcmpeqb ymm7, ymm7, [rip + .Lbit]
    vpxor ymm8, ymm7, [rsi + 32 * \number]
    vpsubb ymm8, ymm8, ymm7
    vpmaddubsw ymm5, ymm6, ymm8
    vpshufb ymm7, ymm4, [rip + .Lspread + 32 * \number]
    vpmaddwd ymm5, ymm5, ymm7
    vpaddd ymm3, ymm3, ymm5
.endm

.macro group
    vpsrldq xmm4, xmm13, 8
    vpand xmm5, xmm4, [rip + .Lnibble]
    vpsrlw xmm4, xmm4, 4
    vpand xmm4, xmm4, [rip + .Lnibble]
    vpunpcklbw xmm4, xmm5, xmm4
    vpaddb xmm4, xmm4, xmm4
    vpaddb xmm4, xmm4, [rip + .Lunit]
    vinserti128 ymm4, ymm4, xmm4, 1
    vmovdqa ymm3, [rip + .Lzero]
    columns 0, 9, 11
    columns 1, 9, 11
    columns 2, 9, 11
    columns 3, 9, 11
    columns 4, 10, 12
    columns 5, 10, 12
    columns 6, 10, 12
    columns 7, 10, 12
    vcvtdq2ps ymm3, ymm3
    vcvtph2ps ymm7, xmm14
    vbroadcastss ymm8, dword ptr [rsi + SCALE]
    vmulps ymm7, ymm7, ymm8
    dot ymm3
.endm

    sequence_functions
#else
#include "micro/sequences/x86_64/iq2_s_standin.h"

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
