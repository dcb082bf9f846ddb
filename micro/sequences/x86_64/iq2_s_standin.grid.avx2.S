/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, whose grid is a stand-in for that of IQ2_S (micro/kernels/iq2_s_standin/grid.inc): the numbers of 16
 * vectors are put together in a register as 16-bit words and the vectors loaded one by one from a table of 8 KB in the first-level cache, the
 * activations take the signs. The lanes are parts of one row.
 * Of 32 weights 3 instructions make the numbers and take them out, 7 of integer registers separate them, 5 look up, 5 make signs and 4
 * multiply and scale. Zen 5 takes 5.2 cycles per output vector; with numbers of 32 bits, made four at a time, 6.9, with gathers 8.2.
 *
 *   ymm0, ymm1 accumulators   ymm2 a bit of each byte   ymm3 sums   ymm4 scales   ymm5 numbers, products   ymm6 magnitudes
 *   ymm7 magnitudes, signs, scales   ymm8 activations   xmm9, xmm10 lower, upper half of the indices   ymm11, ymm12 signs, so, in both halves   ymm13 upper bits and scales, so   xmm14 d
 *   ymm15 numbers   rax grid   rcx, rdx numbers
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       199
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             2
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
/* byte n as four words */
.Lfour:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .rept 4
    .byte \byte, 0x80
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
/* shifts by 8, 6, 4, 2 */
.Lshift:
    .rept 4
    .word 256, 64, 16, 4
    .endr
.Lupper: .fill 16, 2, 0x300
.Lnibble: .fill 16, 1, 0x0f
.Lunit: .fill 16, 1, 1
.Lzero: .fill 32, 1, 0

.macro load_constants
    lea rax, [rip + .Lgrid]
    vmovdqa ymm2, [rip + .Lbit]
.endm

.macro load_weights base, offset
    vpbroadcastw xmm14, word ptr [\base + \offset]
    vmovdqu xmm9, [\base + \offset + 2]
    vmovdqu xmm10, [\base + \offset + 18]
    vbroadcasti128 ymm11, [\base + \offset + 34]
    vbroadcasti128 ymm12, [\base + \offset + 50]
    vbroadcasti128 ymm13, [\base + \offset + 66]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

/* numbers of 16 vectors as words, of which those of four are in rcx */
.macro numbers half, indices
    vpmovzxbw ymm15, xmm\indices
    vpshufb ymm5, ymm13, [rip + .Lfour + 32 * \half]
    vpmullw ymm5, ymm5, [rip + .Lshift]
    vpand ymm5, ymm5, [rip + .Lupper]
    vpor ymm15, ymm15, ymm5
    vmovq rcx, xmm15
.endm

.macro columns number, signs
    four_vectors 6, 7
    vpshufb ymm7, ymm\signs, [rip + .Leight + 32 * (\number - \number / 4 * 4)]
    vpand ymm7, ymm7, ymm2
    vpcmpeqb ymm7, ymm7, ymm2
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
    numbers 0, 9
    columns 0, 11
    vpextrq rcx, xmm15, 1
    columns 1, 11
    vextracti128 xmm15, ymm15, 1
    vmovq rcx, xmm15
    columns 2, 11
    vpextrq rcx, xmm15, 1
    columns 3, 11
    numbers 1, 10
    columns 4, 12
    vpextrq rcx, xmm15, 1
    columns 5, 12
    vextracti128 xmm15, ymm15, 1
    vmovq rcx, xmm15
    columns 6, 12
    vpextrq rcx, xmm15, 1
    columns 7, 12
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
