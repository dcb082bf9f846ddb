/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2, 2-bit codes into one of four codebooks a group of 16 [arm-kernels-codebooks, 5.3 and 6.5]: the number of the
 * codebook is joined to each code by bitwise operations and a byte shuffle looks the signed centroid up; all four
 * codebooks are one register. Two rows interleaved so that a 32-bit lane is one group: number and scale of a lane are
 * one shuffle each for 128 weights, and vpmaddwd applies the scale. Signed times signed is vpabsb and vpsignb before
 * vpmaddubsw. This is the paper's order, of a format that has a sequence alone: kernels read cb2_4, whose lanes are rows and whose scales
 * have a sign (cb2_4.codebook.avx2).
 * Per 128 weights: 3 shifts, 4 ANDs, 4 ORs, 6 shuffles, 4 products of 5 uops; a block of 2 rows: 7 more. 155 uops of
 * arithmetic for 512.
 * Golden Cove: 81 on p01, 24 on p15, 1 on p5, 49 anywhere: 155 on three ports, 3.23 cycles per output vector. Zen 3:
 * 155 on four pipes, 2.42. 171 uops issued: 155 of arithmetic, 16
 * loads.
 *
 *   ymm0 accumulator   ymm1 sums   ymm2 codebook of each lane   ymm3 scales of each lane   ymm4 codes, values
 *   ymm5 magnitudes   ymm6 activations   ymm7 codebooks' numbers   ymm8 scales   ymm9 codebooks   xmm10 d
 *   ymm11 group bytes   ymm12-15 codes
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     164
#define ACTIVATION_BYTES 864 /* 16 registers of activations, eight times the scale */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define CODEBOOKS 260
#define SPREAD    320
#define SCALES    832

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
/* byte b of each double word in all four bytes, and as two words */
.Lnumber:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, \byte + \lane, \byte + \lane, \byte + \lane
    .endr
    .endr
.Lscale:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, 0x80, \byte + \lane, 0x80
    .endr
    .endr
.Lsix: .fill 32, 1, 0x3f
.Lfield0: .fill 32, 1, 0x03
.Lfield1: .fill 32, 1, 0x0c

.macro load_constants
    vbroadcasti128 ymm9, [rsi + CODEBOOKS]
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
    vmovdqu ymm11, [\base + \offset + 128]
    vpbroadcastd xmm10, [\base + \offset + 160]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm2, \source
.endm

.macro field register, number, plane
    .if \plane
    vpsrlw ymm4, ymm\register, 2 * \plane
    vpand ymm4, ymm4, [rip + .Lfield0]
    .else
    vpand ymm4, ymm\register, [rip + .Lfield0]
    .endif
    vpor ymm4, ymm4, ymm2
    vpshufb ymm4, ymm9, ymm4
    vmovdqu ymm6, [rsi + SPREAD + 128 * \number + 32 * \plane]
    vpabsb ymm5, ymm4
    vpsignb ymm4, ymm6, ymm4
    vpmaddubsw ymm4, ymm5, ymm4
    .if \number + \plane
    vpmaddwd ymm4, ymm4, ymm3
    vpaddd ymm1, ymm1, ymm4
    .else
    vpmaddwd ymm1, ymm4, ymm3
    .endif
.endm

.macro codes register, number
    vpshufb ymm2, ymm7, [rip + .Lnumber + 32 * \number]
    vpshufb ymm3, ymm8, [rip + .Lscale + 32 * \number]
    field \register, \number, 0
    field \register, \number, 1
    field \register, \number, 2
    field \register, \number, 3
.endm

.macro group
    vpsrlw ymm7, ymm11, 4
    vpand ymm7, ymm7, [rip + .Lfield1]
    vpand ymm8, ymm11, [rip + .Lsix]
    codes 12, 0
    codes 13, 1
    codes 14, 2
    codes 15, 3
    vcvtdq2ps ymm1, ymm1
    vcvtph2ps ymm2, xmm10
    vmulps ymm2, ymm2, [rsi + SCALES]
    dot ymm1
.endm

    sequence_functions
#else
#include "micro/families/blocks/block256.h"

static const struct block256 rows = {2, 8, 1};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block256_refer_cb2(rows, data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
    block256_spread(rows, activations, activations + SPREAD, 0);
    blocks_put_float(activations + SCALES, blocks_float(activations + BLOCK256_SCALE), 8);
}
#endif
