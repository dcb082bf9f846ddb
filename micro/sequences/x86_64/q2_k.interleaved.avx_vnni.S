/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, two rows interleaved so that a 32-bit lane is 16 weights of one row, the group of a scale, see
 * q2_k.interleaved.avx2. vpdpbusd adds the four products of a plane straight into lanes; fields 0 and 2 and, four times
 * as large, fields 1 and 3 have sums of their own, both of 16 bits (at most 8 x 12 x 127), so that vpdpwssd multiplies
 * them by the scale of their group. One shift brings the upper fields down.
 * Per 128 weights: 1 shift, 4 ANDs, 4 vpdpbusd, 1 shuffle, 2 vpdpwssd; a block of 2 rows: 16 more. 64 uops of
 * arithmetic for 512 weights, beside 10 loads of zero.
 * Golden Cove: 38 on p01, 4 on p15, 3 on p5, 19 anywhere: 64 on three ports, 1.33 cycles per output vector. 74 uops
 * issued: 64 of arithmetic, 10 loads.
 *
 *   ymm0 accumulator   ymm1, ymm2 masks 0x03, 0x0c   ymm3 scales   ymm4, ymm5 sums of a group
 *   ymm6, ymm7 codes, scales   ymm8, ymm9 sums, minima   xmm10 d, dmin   ymm11 group bytes   ymm12-15 codes
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_UOPS       74
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     168
#define ACTIVATION_BYTES 912 /* 16 registers of activations, 2 of their sums; twice the scale, twice -scale / 16 */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define SPREAD 320
#define SUMS   832
#define SCALES 896

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
/* byte b of each double word as a double word */
.Lspread:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, 0x80, 0x80, 0x80
    .endr
    .endr
.Lzero: .fill 32, 1, 0
.Lnibble: .fill 32, 1, 0x0f
.Leven: .fill 16, 2, 0x00f0

.macro load_constants
    mov eax, 0x03030303
    vmovd xmm1, eax
    vpbroadcastd ymm1, xmm1
    mov eax, 0x0c0c0c0c
    vmovd xmm2, eax
    vpbroadcastd ymm2, xmm2
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
    vmovdqu ymm11, [\base + \offset + 128]
    vmovq xmm10, qword ptr [\base + \offset + 160]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro codes register, number
    vmovdqa ymm4, [rip + .Lzero]
    vmovdqa ymm5, [rip + .Lzero]
    vpsrlw ymm7, ymm\register, 4
    vpand ymm6, ymm\register, ymm1
    {vex} vpdpbusd ymm4, ymm6, [rsi + SPREAD + 128 * \number]
    vpand ymm6, ymm\register, ymm2
    {vex} vpdpbusd ymm5, ymm6, [rsi + SPREAD + 128 * \number + 32]
    vpand ymm6, ymm7, ymm1
    {vex} vpdpbusd ymm4, ymm6, [rsi + SPREAD + 128 * \number + 64]
    vpand ymm7, ymm7, ymm2
    {vex} vpdpbusd ymm5, ymm7, [rsi + SPREAD + 128 * \number + 96]
    vpshufb ymm6, ymm3, [rip + .Lspread + 32 * \number]
    {vex} vpdpwssd ymm8, ymm4, ymm6
    {vex} vpdpwssd ymm9, ymm5, ymm6
.endm

.macro group
    vpand ymm3, ymm11, [rip + .Lnibble]
    vmovdqa ymm8, [rip + .Lzero]
    vmovdqa ymm9, [rip + .Lzero]
    codes 12, 0
    codes 13, 1
    codes 14, 2
    codes 15, 3
    vpsrad ymm9, ymm9, 2
    vpaddd ymm8, ymm8, ymm9
    vcvtdq2ps ymm8, ymm8
    vcvtph2ps xmm7, xmm10
    vmulps xmm7, xmm7, [rsi + SCALES]
    vbroadcastsd ymm6, xmm7
    dot ymm8
    vpand ymm9, ymm11, [rip + .Leven]
    vpmaddwd ymm9, ymm9, [rsi + SUMS]
    vpsrlw ymm6, ymm11, 12
    {vex} vpdpwssd ymm9, ymm6, [rsi + SUMS + 32]
    vcvtdq2ps ymm9, ymm9
    vpermpd ymm6, ymm7, 0x55
    dot ymm9
.endm

    sequence_functions
#else
#include "micro/sequences/block256.h"

static const struct block256 rows = {2, 8, 2};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block256_refer_q2_k(rows, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
    block256_spread(rows, activations, activations + SPREAD, 0);
    block256_spread_sums(rows, activations, activations + SUMS);
    blocks_put_float(activations + SCALES, blocks_float(activations + BLOCK256_SCALE), 2);
    blocks_put_float(activations + SCALES + 8, -blocks_float(activations + BLOCK256_SCALE) / 16, 2);
}
#endif
