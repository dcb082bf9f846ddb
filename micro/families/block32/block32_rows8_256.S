/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32 codes of 4 bits, eight rows interleaved so that a lane is a row [arm-kernels-codebooks, 4.1.1]: one conversion for eight scales, no sums across
 * lanes, activations shared. Of each 64 weights codes become signed bytes, which are multiplied twice; the scales of 8 rows take 5.
 *
 *   q4_0.signed [4.1.2, Fig. 4]   the upper bit of each code is toggled when it is packed, so that shifting left by 4 and masking with 0xf0 give the signed
 *                                 weights times 16 and no subtraction is needed; the scale of the activations carries the 1/16. x86 shifts words, not
 *                                 bytes: the shifted one needs a mask too. 1 shift, 2 ANDs and 2 products
 *     AVX2                        of 5 uops (vpabsb, vpsignb, vpmaddubsw: at most 2 x 128 x 127, vpmaddwd, vpaddd): 64 issued: 56 of arithmetic, 8 loads.
 *                                 Golden Cove: 40 on p01, 1 on p5, 15 anywhere: 2.5 cycles per output vector. Zen 3: 56 on four pipes, 1.75
 *     AVX-VNNI                    of vpabsb, vpsignb, vpdpbusd, which needs unsigned weights: 50 issued: 41 of arithmetic, 9 loads. 32 on p01, 1 on p5, 8
 *                                 anywhere: 2.0
 *     AVX-VNNI-INT8               of vpdpbssd, which is what SDOT is to the paper: 34 issued: 25 of arithmetic, 9 loads. A core with the ports of Golden Cove
 *                                 (which lacks it): 16 on p01, 1 on p5, 8 anywhere: 1.04
 *   q4_0.subtract                 mask, shift and subtract 8, for comparison. 1 shift, 2 ANDs, 2 subtractions and 2 products of 5: 72 issued: 64 of
 *                                 arithmetic, 8 loads. 40 on p01 (shift, sign, products, conversion, scale), 1 on p5, 23 anywhere: 2.67. Zen 3: 2.0
 *   iq4_nl.sign                   see iq4_nl_8x8.interleaved.avx2. The signs go to the other side: |a| and a are known before the first row, so vpsignb gives
 *                                 the looked-up values the sign of their activation and vpabsb is not needed; with both magnitudes at most 127, two
 *                                 products (32258) fit vpmaddubsw. 1 shift, 2 ANDs, 2 vpshufb and 2 products of 4: 72 issued: 56 of arithmetic, 16
 *                                 loads. 32 on p01, 8 on p15, 1 on p5, 15 anywhere: 2.33. Zen 3: 1.75
 *
 *   ymm0-3 accumulators   ymm4 sums   ymm5 weights as bytes   ymm6 magnitudes, products   ymm7 activations, scales   ymm8 eights, codebook   ymm9 ones
 *   ymm10 mask   xmm11 scales   ymm12-15 weights
 */
#ifdef CODES_ARE_INDICES
#define ORIGIN           "kneepoint"
#define ACTIVATION_BYTES 128 /* eight times the scale, 32 magnitudes */
#else
#define ORIGIN           "arm-kernels-codebooks"
#define ACTIVATION_BYTES 96
#endif
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
#if defined CODES_ARE_INDICES
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
#elif !defined PRODUCTS_ARE_WIDENED
    .balign 32
.Lzero: .fill 32, 1, 0
#endif

.macro load_constants
#ifdef CODES_ARE_SIGNED
    mov eax, 0xf0f0f0f0
#else
    mov eax, 0x0f0f0f0f
#endif
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
#if defined CODES_ARE_INDICES
    vbroadcasti128 ymm8, [rip + .Lcodebook]
#elif !defined CODES_ARE_SIGNED
    mov eax, 0x08080808
    vmovd xmm8, eax
    vpbroadcastd ymm8, xmm8
#endif
#ifdef PRODUCTS_ARE_WIDENED
    mov eax, 0x10001
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
#endif
.endm

.macro load_weights base, offset
    vmovdqu xmm11, [\base + \offset]
    vmovdqu ymm12, [\base + \offset + 16]
    vmovdqu ymm13, [\base + \offset + 48]
    vmovdqu ymm14, [\base + \offset + 80]
    vmovdqu ymm15, [\base + \offset + 112]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

/* signed bytes ymm5 times four activations, to ymm4 */
.macro multiply k
    vpbroadcastd ymm7, [rsi + \k]
#if defined PRODUCTS_ARE_SIGNED
    vpdpbssd ymm4, ymm5, ymm7
#else
#if defined CODES_ARE_INDICES
    vpbroadcastd ymm6, [rsi + \k + 96]
    vpsignb ymm5, ymm5, ymm7
    vpmaddubsw ymm6, ymm6, ymm5
#else
    vpabsb ymm6, ymm5
    vpsignb ymm7, ymm7, ymm5
#ifdef PRODUCTS_ARE_WIDENED
    vpmaddubsw ymm6, ymm6, ymm7
#else
    {vex} vpdpbusd ymm4, ymm6, ymm7
#endif
#endif
#ifdef PRODUCTS_ARE_WIDENED
    .if \k
    vpmaddwd ymm6, ymm6, ymm9
    vpaddd ymm4, ymm4, ymm6
    .else
    vpmaddwd ymm4, ymm6, ymm9
    .endif
#endif
#endif
.endm

.macro decode
#if defined CODES_ARE_INDICES
    vpshufb ymm5, ymm8, ymm5
#elif !defined CODES_ARE_SIGNED
    vpsubb ymm5, ymm5, ymm8
#endif
.endm

.macro quad weights, k
#ifdef CODES_ARE_SIGNED
    vpsllw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm10
    multiply \k
    vpand ymm5, ymm\weights, ymm10
    multiply %(\k + 16)
#else
    vpand ymm5, ymm\weights, ymm10
    decode
    multiply \k
    vpsrlw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm10
    decode
    multiply %(\k + 16)
#endif
.endm

.macro group
#ifndef PRODUCTS_ARE_WIDENED
    vmovdqa ymm4, [rip + .Lzero]
#endif
    quad 12, 0
    quad 13, 4
    quad 14, 8
    quad 15, 12
    vcvtdq2ps ymm4, ymm4
    vcvtph2ps ymm7, xmm11
    vmulps ymm7, ymm7, [rsi + 64]
    dot ymm4
.endm

    sequence_functions
#else
#include <stdlib.h>

#include "micro/families/block32/block32.h"

#if defined CODES_ARE_INDICES
#define VALUES block32_nonlinear
#elif defined CODES_ARE_SIGNED
#define VALUES block32_signed
#else
#define VALUES block32_offset8
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, VALUES, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
#ifdef CODES_ARE_SIGNED
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT) / 16, 8);
#else
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT), 8);
#endif
#ifdef CODES_ARE_INDICES
    for (uint32_t k = 0; k < 32; k++)
        activations[BLOCK32_OWN + 32 + k] = (uint8_t)abs(((int8_t *)activations)[k]);
#endif
}
#endif
