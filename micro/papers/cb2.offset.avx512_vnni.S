/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2, four rows interleaved, see cb2.offset.avx_vnni. vpternlogd masks the code and joins the number of its codebook
 * at once.
 * Per 256 weights: 2 shifts, 4 vpternlogd, 6 shuffles, 4 vpdpbusd, 1 vpmulld (2 uops), 1 vpaddd; a block of 4 rows: 9
 * more. 84 uops of arithmetic for 1024 weights.
 * Golden Cove at 512 bits: 84 on p05 (17 shifts and vpmulld on p0; 24 shuffles and 2 more on p5): 42 cycles, 1.31 per
 * output vector. 104 uops issued: 84 of arithmetic, 4 loads, 16 copies.
 *
 *   zmm0-9 accumulators   zmm10 sums   zmm11 sums of a group   zmm12 codebook of each lane   zmm13 codes shifted
 *   zmm14 codes, values   zmm15 codebooks' numbers   zmm16-19 codes   zmm20 group bytes   xmm21 d   zmm22 scales
 *   zmm23, zmm24 codebooks with the number above, below the code   zmm25-27 masks 0x03, 0x0c, 0x3f
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             10
#define WEIGHT_BYTES     328
#define ACTIVATION_BYTES 1632 /* 16 registers of activations, -128 sum a, codebooks offset */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define CODEBOOKS  260
#define SCALE      256
#define SPREAD     320
#define STARTS     1344
#define ABOVE      1600
#define BELOW      1616

#ifdef __ASSEMBLER__
/* (code and mask) or codebook */
#define AND_OR 0xea

    .section .rodata
    .balign 64
/* byte b of each double word in all four bytes, and as a double word */
.Lnumber:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, \byte + \lane, \byte + \lane, \byte + \lane
    .endr
    .endr
.Lscale:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, 0x80, 0x80, 0x80
    .endr
    .endr

.macro load_constants
    vbroadcasti32x4 zmm23, [rsi + ABOVE]
    vbroadcasti32x4 zmm24, [rsi + BELOW]
    mov eax, 0x03030303
    vpbroadcastd zmm25, eax
    mov eax, 0x0c0c0c0c
    vpbroadcastd zmm26, eax
    mov eax, 0x3f3f3f3f
    vpbroadcastd zmm27, eax
.endm

.macro load_weights base, offset
    vmovdqu32 zmm16, [\base + \offset]
    vmovdqu32 zmm17, [\base + \offset + 64]
    vmovdqu32 zmm18, [\base + \offset + 128]
    vmovdqu32 zmm19, [\base + \offset + 192]
    vmovdqu32 zmm20, [\base + \offset + 256]
    vpbroadcastq xmm21, [\base + \offset + 320]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm12, \source
.endm

.macro field register, number, plane, mask, codebooks
    vmovdqa32 zmm14, zmm\register
    vpternlogd zmm14, zmm\mask, zmm12, AND_OR
    vpshufb zmm14, zmm\codebooks, zmm14
    vpdpbusd zmm11, zmm14, [rsi + SPREAD + 256 * \number + 64 * \plane]
.endm

.macro codes register, number
    vpshufb zmm12, zmm15, [rip + .Lnumber + 64 * \number]
    vmovdqu32 zmm11, [rsi + STARTS + 64 * \number]
    vpsrld zmm13, zmm\register, 4
    field \register, \number, 0, 25, 23
    field 13, \number, 2, 25, 23
    vpsrld zmm12, zmm12, 2
    field \register, \number, 1, 26, 24
    field 13, \number, 3, 26, 24
    vpshufb zmm14, zmm22, [rip + .Lscale + 64 * \number]
    .if \number
    vpmulld zmm11, zmm11, zmm14
    vpaddd zmm10, zmm10, zmm11
    .else
    vpmulld zmm10, zmm11, zmm14
    .endif
.endm

.macro group
    vpsrld zmm15, zmm20, 4
    vpandd zmm15, zmm15, zmm26
    vpandd zmm22, zmm20, zmm27
    codes 16, 0
    codes 17, 1
    codes 18, 2
    codes 19, 3
    vcvtdq2ps zmm10, zmm10
    vcvtph2ps ymm12, xmm21
    vshuff32x4 zmm12, zmm12, zmm12, 0x44
    vmulps zmm12, zmm12, dword ptr [rsi + SCALE]{1to16}
    dot zmm10
.endm

    sequence_functions
#else
#include "micro/families/blocks/block256.h"

static const struct block256 rows = {4, 16, 1};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block256_refer_cb2(rows, data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
    block256_spread(rows, activations, activations + SPREAD, 0);
    for (uint32_t i = 0; i < 16; i++) {
        activations[ABOVE + i] = activations[CODEBOOKS + i] ^ 0x80;
        activations[BELOW + i] = activations[CODEBOOKS + i % 4 * 4 + i / 4] ^ 0x80;
    }
    for (uint32_t i = 0; i < 4 * rows.lanes; i++)
        blocks_put_int32(activations + STARTS + 4 * i,
                         -128 * block256_sum(activations, block256_group(rows, i / rows.lanes, i % rows.lanes)), 1);
}
#endif
