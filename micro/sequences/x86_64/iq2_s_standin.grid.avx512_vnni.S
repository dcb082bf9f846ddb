/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, as iq2_s_standin.grid.avx2 with 512 bits: the numbers of all 32 vectors are made in one register as 16-bit
 * words and stored below the stack, so that each is one load, where taking numbers out of vector registers is 3 uops for two; 64 bits
 * of signs are a mask. The lanes are parts of one row.
 * Of 256 weights 6 instructions make the numbers, 76 look up, 12 scale, 16 sign and multiply. 116 uops, of which 68 load.
 * Zen 5 takes 6.2 cycles per output vector, where it could issue them in 2; the store that 32 loads read was not tried otherwise.
 *
 *   zmm0-2 accumulators   zmm3 sums   zmm4 scales   zmm5-8 numbers, magnitudes   zmm6 activations   zmm7 scales   ymm9 indices
 *   xmm13 upper bits and scales   ymm14 d   zmm15 zero   k1-k4 signs   rax grid   r11 numbers   rcx, rdx a number
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       116
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     82
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lgrid:
#define IQ2_S_VECTOR(vector) .quad vector
#include "micro/kernels/iq2_s_standin/grid.inc"
/* byte n as four words */
.Lfour:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .rept 4
    .byte \byte, 0x80
    .endr
    .endr
/* words of byte n in a quarter each */
.Lspread:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .rept 8
    .byte \byte, 0x80
    .endr
    .endr
.Lshift:
    .rept 8
    .word 8, 6, 4, 2
    .endr
.Lupper: .long 0x03000300
.Lnibble: .fill 16, 1, 0x0f
.Lunit: .fill 16, 1, 1

/* numbers: a line of the 128 bytes below the stack that are a function's own */
.macro load_constants
    lea rax, [rip + .Lgrid]
    lea r11, [rsp - 64]
    and r11, -64
    vpxord zmm15, zmm15, zmm15
.endm

.macro load_weights base, offset
    vpbroadcastw ymm14, word ptr [\base + \offset]
    vmovdqu ymm9, [\base + \offset + 2]
    kmovq k1, [\base + \offset + 34]
    kmovq k2, [\base + \offset + 42]
    kmovq k3, [\base + \offset + 50]
    kmovq k4, [\base + \offset + 58]
    vmovdqu xmm13, [\base + \offset + 66]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm7, \source
.endm

.macro two_vectors to, at
    movzx ecx, word ptr [r11 + 2 * (\at)]
    movzx edx, word ptr [r11 + 2 * (\at) + 2]
    vmovq xmm\to, [rax + rcx * 8]
    vmovhpd xmm\to, xmm\to, [rax + rdx * 8]
.endm

.macro columns number, signs
    two_vectors 5, %(8 * \number)
    two_vectors 6, %(8 * \number + 2)
    two_vectors 7, %(8 * \number + 4)
    two_vectors 8, %(8 * \number + 6)
    vinserti128 ymm5, ymm5, xmm6, 1
    vinserti128 ymm7, ymm7, xmm8, 1
    vinserti64x4 zmm5, zmm5, ymm7, 1
    vmovdqu64 zmm6, [rsi + 64 * \number]
    vpsubb zmm6{\signs}, zmm15, zmm6
    vpmaddubsw zmm5, zmm5, zmm6
    vpshufb zmm7, zmm4, [rip + .Lspread + 64 * \number]
    vpdpwssd zmm3, zmm5, zmm7
.endm

.macro group
    vpmovzxbw zmm5, ymm9
    vpbroadcastq zmm6, xmm13
    vpshufb zmm6, zmm6, [rip + .Lfour]
    vpsllvw zmm6, zmm6, [rip + .Lshift]
    vpternlogd zmm5, zmm6, dword ptr [rip + .Lupper]{1to16}, 0xf8
    vmovdqa64 [r11], zmm5
    vpsrldq xmm4, xmm13, 8
    vpand xmm5, xmm4, [rip + .Lnibble]
    vpsrlw xmm4, xmm4, 4
    vpand xmm4, xmm4, [rip + .Lnibble]
    vpunpcklbw xmm4, xmm5, xmm4
    vpaddb xmm4, xmm4, xmm4
    vpaddb xmm4, xmm4, [rip + .Lunit]
    vshufi32x4 zmm4, zmm4, zmm4, 0
    vpxord zmm3, zmm3, zmm3
    columns 0, k1
    columns 1, k2
    columns 2, k3
    columns 3, k4
    vcvtdq2ps zmm3, zmm3
    vcvtph2ps zmm7, ymm14
    vmulps zmm7, zmm7, dword ptr [rsi + SCALE]{1to16}
    dot zmm3
.endm

    sequence_functions
#else
#include "micro/sequences/x86_64/iq2_s_standin.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    iq2_s_refer(data, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    iq2_s_fill(weights, activations, seed);
}
#endif
