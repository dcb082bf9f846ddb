/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2, see cb2.codebook.avx2. The centroids in the registers are offset by 128 and so unsigned: vpdpbusd adds the products
 * of a group in its lane, beginning at -128 sum a, and one vpmulld applies the scale, exactly. One shift of the codes,
 * as in cb2.sign.avx2.
 * Per 128 weights: 2 shifts, 4 ANDs, 4 ORs, 6 shuffles, 4 vpdpbusd, 1 vpmulld (2 uops), 1 vpaddd; a block of 2 rows: 7
 * more. 99 uops of arithmetic for 512 weights.
 * Golden Cove: 37 on p01, 24 on p15, 1 on p5, 37 anywhere: 99 on three ports, 2.06 cycles per output vector. 103
 * uops issued: 99 of arithmetic, 4 loads.
 *
 *   ymm0 accumulator   ymm1 sums   ymm2 codebook of each lane, above, then below the code   ymm3 sums of a group
 *   ymm4 codes, values   ymm5 scales   ymm6 codes shifted   ymm7 codebooks' numbers
 *   ymm8, ymm9 codebooks with the number below, above the code   xmm10 d   ymm11 group bytes   ymm12-15 codes
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     164
#define ACTIVATION_BYTES 1024 /* 16 registers of activations, eight times the scale, codebooks offset, -128 sum a */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define CODEBOOKS  260
#define SPREAD     320
#define SCALES     832
#define ABOVE      864
#define BELOW      880
#define STARTS     896

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
/* byte b of each double word in all four bytes, and as a double word */
.Lnumber:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, \byte + \lane, \byte + \lane, \byte + \lane
    .endr
    .endr
.Lscale:
    .irp byte, 0, 1, 2, 3
    .irp lane, 0, 4, 8, 12, 0, 4, 8, 12
    .byte \byte + \lane, 0x80, 0x80, 0x80
    .endr
    .endr
.Lsix: .fill 32, 1, 0x3f
.Lfield0: .fill 32, 1, 0x03
.Lfield1: .fill 32, 1, 0x0c

.macro load_constants
    vbroadcasti128 ymm9, [rsi + ABOVE]
    vbroadcasti128 ymm8, [rsi + BELOW]
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

.macro field register, number, plane, mask, codebooks
    vpand ymm4, ymm\register, [rip + \mask]
    vpor ymm4, ymm4, ymm2
    vpshufb ymm4, ymm\codebooks, ymm4
    {vex} vpdpbusd ymm3, ymm4, [rsi + SPREAD + 128 * \number + 32 * \plane]
.endm

.macro codes register, number
    vpshufb ymm2, ymm7, [rip + .Lnumber + 32 * \number]
    vmovdqu ymm3, [rsi + STARTS + 32 * \number]
    vpsrlw ymm6, ymm\register, 4
    field \register, \number, 0, .Lfield0, 9
    field 6, \number, 2, .Lfield0, 9
    vpsrlw ymm2, ymm2, 2
    field \register, \number, 1, .Lfield1, 8
    field 6, \number, 3, .Lfield1, 8
    vpshufb ymm4, ymm5, [rip + .Lscale + 32 * \number]
    .if \number
    vpmulld ymm3, ymm3, ymm4
    vpaddd ymm1, ymm1, ymm3
    .else
    vpmulld ymm1, ymm3, ymm4
    .endif
.endm

.macro group
    vpsrlw ymm7, ymm11, 4
    vpand ymm7, ymm7, [rip + .Lfield1]
    vpand ymm5, ymm11, [rip + .Lsix]
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
    for (uint32_t i = 0; i < 16; i++) {
        activations[ABOVE + i] = activations[CODEBOOKS + i] ^ 0x80;
        activations[BELOW + i] = activations[CODEBOOKS + i % 4 * 4 + i / 4] ^ 0x80;
    }
    for (uint32_t i = 0; i < 4 * rows.lanes; i++)
        blocks_put_int32(activations + STARTS + 4 * i,
                         -128 * block256_sum(activations, block256_group(rows, i / rows.lanes, i % rows.lanes)), 1);
    blocks_put_float(activations + SCALES, blocks_float(activations + BLOCK256_SCALE), 8);
}
#endif
