/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, four rows interleaved so that a 32-bit lane is 16 weights of one row, the group of a scale
 * [arm-kernels-codebooks, 4.1.1 and 6.4]: the scale of a lane is one shuffle for 128 weights, and vpmaddwd applies it
 * while it adds pairs. Minima are masked or shifted in words and meet sums of the activations, 16 times too high.
 * Per 128 weights: 3 shifts, 4 ANDs, 4 vpmaddubsw, 3 vpaddw, 1 shuffle, 1 vpmaddwd, 1 vpaddd; a block of 4 rows: 22
 * more. 157 uops for 1024 weights.
 * Golden Cove: 76 on p01, 8 on p15, 3 on p5, 70 anywhere: 157 on three ports, 1.64 cycles per output vector. Zen 3: 157
 * on four pipes, 1.23.
 *
 *   ymm0 accumulator   ymm1, ymm2 codes, products, scales   ymm3 sums   ymm4 scales   ymm5-12 codes
 *   ymm13, ymm14 group bytes   xmm15 d, dmin
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "interleaved"
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_UOPS       157
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     336
#define ACTIVATION_BYTES 1504 /* 32 registers of activations, 4 of their sums; four times the scale, -scale / 16 */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define SPREAD 320
#define SUMS   1344
#define SCALES 1472

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
/* byte b of each double word as a word, twice */
.Lspread:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, 0x80, \byte + \lane, 0x80
    .endr
    .endr
.Lnibble: .fill 32, 1, 0x0f
.Leven: .fill 16, 2, 0x00f0
.Lfield0: .fill 32, 1, 0x03

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm5, [\base + \offset]
    vmovdqu ymm6, [\base + \offset + 32]
    vmovdqu ymm7, [\base + \offset + 64]
    vmovdqu ymm8, [\base + \offset + 96]
    vmovdqu ymm9, [\base + \offset + 128]
    vmovdqu ymm10, [\base + \offset + 160]
    vmovdqu ymm11, [\base + \offset + 192]
    vmovdqu ymm12, [\base + \offset + 224]
    vmovdqu ymm13, [\base + \offset + 256]
    vmovdqu ymm14, [\base + \offset + 288]
    vmovdqu xmm15, [\base + \offset + 320]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm2, \source
.endm

/* 128 codes: shift, mask, multiply and add the four fields of a byte */
.macro codes register, number
    vpand ymm1, ymm\register, [rip + .Lfield0]
    vpmaddubsw ymm1, ymm1, [rsi + SPREAD + 128 * \number]
    field \register, \number, 1
    field \register, \number, 2
    field \register, \number, 3
    scale \number
.endm

.macro field register, number, plane
    vpsrlw ymm2, ymm\register, 2 * \plane
    vpand ymm2, ymm2, [rip + .Lfield0]
    vpmaddubsw ymm2, ymm2, [rsi + SPREAD + 128 * \number + 32 * \plane]
    vpaddw ymm1, ymm1, ymm2
.endm

/* ymm1 are sums of 16 bits of codes times activations */
.macro scale number
    vpshufb ymm2, ymm4, [rip + .Lspread + 32 * (\number % 4)]
    .if \number
    vpmaddwd ymm1, ymm1, ymm2
    vpaddd ymm3, ymm3, ymm1
    .else
    vpmaddwd ymm3, ymm1, ymm2
    .endif
.endm

.macro minima register, number
    vpand ymm2, ymm\register, [rip + .Leven]
    .if \number
    vpmaddwd ymm2, ymm2, [rsi + SUMS + 64 * \number]
    vpaddd ymm1, ymm1, ymm2
    .else
    vpmaddwd ymm1, ymm2, [rsi + SUMS]
    .endif
    vpsrlw ymm2, ymm\register, 12
    vpmaddwd ymm2, ymm2, [rsi + SUMS + 64 * \number + 32]
    vpaddd ymm1, ymm1, ymm2
.endm

.macro group
    vpand ymm4, ymm13, [rip + .Lnibble]
    codes 5, 0
    codes 6, 1
    codes 7, 2
    codes 8, 3
    vpand ymm4, ymm14, [rip + .Lnibble]
    codes 9, 4
    codes 10, 5
    codes 11, 6
    codes 12, 7
    vcvtph2ps ymm4, xmm15
    vmulps ymm4, ymm4, [rsi + SCALES]
    vperm2f128 ymm2, ymm4, ymm4, 0x00
    vcvtdq2ps ymm3, ymm3
    dot ymm3
    minima 13, 0
    minima 14, 1
    vcvtdq2ps ymm1, ymm1
    vperm2f128 ymm2, ymm4, ymm4, 0x11
    dot ymm1
.endm

    sequence_functions
#else
#include "micro/sequences/block256.h"

static const struct block256 rows = {4, 8, 2};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block256_refer_q2_k(rows, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
    block256_spread(rows, activations, activations + SPREAD, 0);
    block256_spread_sums(rows, activations, activations + SUMS);
    blocks_put_float(activations + SCALES, blocks_float(activations + BLOCK256_SCALE), 4);
    blocks_put_float(activations + SCALES + 16, -blocks_float(activations + BLOCK256_SCALE) / 16, 4);
}
#endif
