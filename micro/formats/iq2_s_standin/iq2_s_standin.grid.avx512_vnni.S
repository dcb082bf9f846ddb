/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, as iq2_s_standin.grid.avx2 with 512 bits: the numbers of all 32 vectors are made in one register as 16-bit
 * words; 64 bits of signs are a mask. The lanes are parts of one row.
 * Of 256 weights 6 instructions make the numbers, 12 and 56 of integer registers take them out, 44 look up, 12 scale, 16 sign and multiply.
 * What is short are the loads of vector registers, two a cycle on Zen 5: 32 are the look-ups, so that constants stay in registers (with ten
 * loads of them it takes 3.6 cycles per output vector instead of 3.4). Numbers stored as a register and loaded one by one take 6.2: such a
 * load waits until the store has left its queue.
 *
 *   zmm0-2 accumulators   zmm3 sums   zmm4 scales   zmm5, 6, 8 magnitudes   zmm6 activations   zmm7 numbers, scales   ymm9 indices
 *   zmm10 numbers   xmm11, xmm12 nibble, unit   xmm13 upper bits and scales   ymm14 d   zmm15 zero   zmm16-19 spread   zmm20-22 of numbers
 *   k1-k4 signs   rax grid   rcx, rdx numbers
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
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
#include "micro/formats/iq2_s_standin/iq2_s_standin.vectors.inc"

    .section .rodata
    .balign 64
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

.macro load_constants
    lea rax, [rip + .Lgrid]
    vpxord zmm15, zmm15, zmm15
    vmovdqa64 zmm16, [rip + .Lspread]
    vmovdqa64 zmm17, [rip + .Lspread + 64]
    vmovdqa64 zmm18, [rip + .Lspread + 128]
    vmovdqa64 zmm19, [rip + .Lspread + 192]
    vmovdqa64 zmm20, [rip + .Lfour]
    vmovdqa64 zmm21, [rip + .Lshift]
    vpbroadcastd zmm22, [rip + .Lupper]
    vmovdqu64 xmm11, [rip + .Lnibble]
    vmovdqu64 xmm12, [rip + .Lunit]
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

.macro columns number, signs, spread
    vextracti32x4 xmm7, zmm10, \number
    vmovq rcx, xmm7
    four_vectors 5, 6
    vpextrq rcx, xmm7, 1
    four_vectors 8, 6
    vinserti64x4 zmm5, zmm5, ymm8, 1
    vmovdqu64 zmm6, [rsi + 64 * \number]
    vpsubb zmm6{\signs}, zmm15, zmm6
    vpmaddubsw zmm5, zmm5, zmm6
    vpshufb zmm7, zmm4, zmm\spread
    vpdpwssd zmm3, zmm5, zmm7
.endm

.macro group
    vpmovzxbw zmm5, ymm9
    vpbroadcastq zmm6, xmm13
    vpshufb zmm6, zmm6, zmm20
    vpsllvw zmm6, zmm6, zmm21
    vpternlogd zmm5, zmm6, zmm22, 0xf8
    vmovdqa64 zmm10, zmm5
    vpsrldq xmm4, xmm13, 8
    vpand xmm5, xmm4, xmm11
    vpsrlw xmm4, xmm4, 4
    vpand xmm4, xmm4, xmm11
    vpunpcklbw xmm4, xmm5, xmm4
    vpaddb xmm4, xmm4, xmm4
    vpaddb xmm4, xmm4, xmm12
    vshufi32x4 zmm4, zmm4, zmm4, 0
    vpxord zmm3, zmm3, zmm3
    columns 0, k1, 16
    columns 1, k2, 17
    columns 2, k3, 18
    columns 3, k4, 19
    vcvtdq2ps zmm3, zmm3
    vcvtph2ps zmm7, ymm14
    vmulps zmm7, zmm7, dword ptr [rsi + SCALE]{1to16}
    dot zmm3
.endm

    sequence_functions
#else
#include "micro/formats/iq2_s_standin/iq2_s_standin.h"

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
