/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, four rows interleaved so that a 32-bit lane is 16 weights of one row, the group of a scale, see
 * q2_k.interleaved.avx_vnni.
 * Per 256 weights: 1 shift, 4 ANDs, 4 vpdpbusd, 1 shuffle, 2 vpdpwssd; a block of 4 rows: 16 more. 64 uops of
 * arithmetic for 1024 weights, beside 10 loads of zero.
 * Golden Cove at 512 bits: 64 on p05 (6 shifts on p0; 4 shuffles and 3 more on p5): 32 cycles, 1.00 per output
 * vector. 74 uops issued: 64 of arithmetic, 10 loads.
 *
 *   zmm0-10 accumulators   zmm11 scales   zmm16-19 codes   zmm20 group bytes   xmm21 d, dmin   zmm22 mask 0x0f
 *   zmm23 mask 0x00f0 of words   zmm24, zmm25 masks 0x03, 0x0c   zmm12, zmm13 sums of a group
 *   zmm14, zmm15 sums, minima   zmm26, zmm27 codes, scales   zmm28-31 spread a byte of each double word
 *   zmm13, zmm26 scales at the end
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_UOPS       74
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             11
#define WEIGHT_BYTES     336
#define ACTIVATION_BYTES 1504 /* 16 registers of activations, 2 of their sums; four times the scale, -scale / 16 */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define SPREAD 320
#define SUMS   1344
#define SCALES 1472

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lzero: .fill 64, 1, 0
.Lspread:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, 0x80, 0x80, 0x80
    .endr
    .endr

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm22, eax
    mov eax, 0x00f000f0
    vpbroadcastd zmm23, eax
    mov eax, 0x03030303
    vpbroadcastd zmm24, eax
    mov eax, 0x0c0c0c0c
    vpbroadcastd zmm25, eax
    vmovdqa32 zmm28, [rip + .Lspread]
    vmovdqa32 zmm29, [rip + .Lspread + 64]
    vmovdqa32 zmm30, [rip + .Lspread + 128]
    vmovdqa32 zmm31, [rip + .Lspread + 192]
.endm

.macro load_weights base, offset
    vmovdqu32 zmm16, [\base + \offset]
    vmovdqu32 zmm17, [\base + \offset + 64]
    vmovdqu32 zmm18, [\base + \offset + 128]
    vmovdqu32 zmm19, [\base + \offset + 192]
    vmovdqu32 zmm20, [\base + \offset + 256]
    vmovdqu32 xmm21, [\base + \offset + 320]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm26, \source
.endm

.macro codes register, number, spread
    vmovdqa32 zmm12, [rip + .Lzero]
    vmovdqa32 zmm13, [rip + .Lzero]
    vpsrld zmm27, zmm\register, 4
    vpandd zmm26, zmm\register, zmm24
    vpdpbusd zmm12, zmm26, [rsi + SPREAD + 256 * \number]
    vpandd zmm26, zmm\register, zmm25
    vpdpbusd zmm13, zmm26, [rsi + SPREAD + 256 * \number + 64]
    vpandd zmm26, zmm27, zmm24
    vpdpbusd zmm12, zmm26, [rsi + SPREAD + 256 * \number + 128]
    vpandd zmm27, zmm27, zmm25
    vpdpbusd zmm13, zmm27, [rsi + SPREAD + 256 * \number + 192]
    vpshufb zmm26, zmm11, zmm\spread
    vpdpwssd zmm14, zmm12, zmm26
    vpdpwssd zmm15, zmm13, zmm26
.endm

.macro group
    vpandd zmm11, zmm20, zmm22
    vmovdqa32 zmm14, [rip + .Lzero]
    vmovdqa32 zmm15, [rip + .Lzero]
    codes 16, 0, 28
    codes 17, 1, 29
    codes 18, 2, 30
    codes 19, 3, 31
    vpsrad zmm15, zmm15, 2
    vpaddd zmm14, zmm14, zmm15
    vcvtdq2ps zmm14, zmm14
    vcvtph2ps ymm13, xmm21
    vmulps ymm13, ymm13, [rsi + SCALES]
    vshuff32x4 zmm26, zmm13, zmm13, 0x00
    dot zmm14
    vpandd zmm15, zmm20, zmm23
    vpmaddwd zmm15, zmm15, [rsi + SUMS]
    vpsrlw zmm12, zmm20, 12
    vpdpwssd zmm15, zmm12, [rsi + SUMS + 64]
    vcvtdq2ps zmm15, zmm15
    vshuff32x4 zmm26, zmm13, zmm13, 0x55
    dot zmm15
.endm

    sequence_functions
#else
#include "micro/sequences/block256.h"

static const struct block256 rows = {4, 16, 2};

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
