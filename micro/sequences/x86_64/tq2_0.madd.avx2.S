/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 as its paper's baseline computes it: a block of 256 weights of one row is 64 bytes and a scale in half
 * precision. Byte 32 h + m holds w + 1 of weights 128 h + 32 n + m in bits 2n+1:2n. Shift, mask and vpmaddubsw; 16-bit
 * sums of the block (codes up to 3 reach 6096), from which the sums of the activations are taken, then 32 bits, float,
 * both scales. 6 shifts, 8 ANDs, 8 vpmaddubsw, 7 vpaddw, 1 vpsubw, and 6 a block: widen, convert, the scale (vcvtph2ps
 * is 2), its product with the activations' scale, multiply-add: 36 uops for 8 output vectors.
 * Golden Cove: 19 on p01, one on p5: 36 / 3 >= 1.50. Zen 3: 36 / 4 >= 1.13.
 *
 *   ymm0-3 accumulators   ymm4 sums, ymm5-7 temporaries   ymm8 block's scale   ymm9 mask 0x03   ymm10 ones
 *   ymm11 scale of the activations   xmm13 scale of the block, 8 times   ymm14, ymm15 weights
 *   [rsi] struct ternary_activations: 256 activations, at 256 their 16 sums of 16 neighbours, at 288 their scale
 */
#define FORMAT           "tq2_0"
#define SEQUENCE         "madd"
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       1
#define GROUP_UOPS       36
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     66
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    mov eax, 0x03030303
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
    mov eax, 0x00010001
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    vbroadcastss ymm11, [rsi + 288]
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
    vmovdqu ymm15, [\base + \offset + 32]
    vpbroadcastw xmm13, [\base + \offset + 64]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, \source, ymm8
.endm

/* 4 fields of 32 bytes times their activations, into a register of words */
.macro half_block weights, sum, activations
    vpand \sum, \weights, ymm9
    vpsrlw ymm6, \weights, 2
    vpsrlw ymm7, \weights, 4
    vpand ymm6, ymm6, ymm9
    vpand ymm7, ymm7, ymm9
    vpmaddubsw \sum, \sum, [rsi + \activations]
    vpmaddubsw ymm6, ymm6, [rsi + \activations + 32]
    vpmaddubsw ymm7, ymm7, [rsi + \activations + 64]
    vpaddw \sum, \sum, ymm6
    vpsrlw ymm6, \weights, 6
    vpand ymm6, ymm6, ymm9
    vpmaddubsw ymm6, ymm6, [rsi + \activations + 96]
    vpaddw \sum, \sum, ymm7
    vpaddw \sum, \sum, ymm6
.endm

.macro group
    half_block ymm14, ymm4, 0
    half_block ymm15, ymm5, 128
    vpaddw ymm4, ymm4, ymm5
    vpsubw ymm4, ymm4, [rsi + 256]
    vcvtph2ps ymm8, xmm13
    vpmaddwd ymm4, ymm4, ymm10
    vmulps ymm8, ymm8, ymm11
    vcvtdq2ps ymm4, ymm4
    dot ymm4
.endm

    sequence_functions

#else

#include "micro/sequences/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    tq2_0_row(data, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 64, 1, activations, seed);
}

#endif
