/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, the 4-bit of [envelope, IV-D], with the look-ups of its 2-bit sequence: nibbles masked, translated by vpshufb to 12 + 2 value, multiplied. A block of
 * 32 weights of 8 rows, with its scale (micro/formats/mxfp4/mxfp4.h): 4 shifts, 8 AND, 8 vpshufb, 8 dot products, then the sum to float, scales to exponents
 * (vpmovzxbd, vpslld 23), one multiply-add, and the load of -12 sum a, from which the block's sum starts, for 8 output vectors.
 *
 *                   uops of arithmetic, and 1 load       Golden Cove, on p015
 *   envelope
 *     AVX-VNNI      32                                   vpdpbusd, shifts, conversion and multiply-add p01: 15: >= 1.333; without scales 28: 1.167
 *     VNNI-INT8     32, signed values in the table,      Lion Cove: four vector ports, dot products on two
 *                   vpdpbssd: the sum starts from 0
 *     AVX2          48, a dot product three              multiplications, shifts, conversion and multiply-add on p01: 23: >= 2.0; Zen 3 1.5
 *   affine, GFNI    28, the index of a high nibble made  affine p01 as vpdpbusd: 14: >= 1.167; without scales 24: 1.0
 *                   by one vgf2p8affineqb, a bit matrix that moves bits 4-7 of each byte down and drops the rest, in place of shift and AND
 *   widen, AVX2     41, 8 vpmaddubsw, 8 vpaddw, 1        multiplications, shifts, conversion and multiply-add on p01: 16: >= 1.708;
 *                   vpmaddwd: the products of a          Skylake the same, vpshufb and vpmovzxbd p5; Haswell, multiplications and shifts on p0: 14:
 *                   block are added as words             >= 1.75; Zen 3 >= 1.281
 *
 * A word of `widen` fits what it adds up, 8 * 2 * 12 * 127 = 24384, since the sum starts at -12 (a + a') and so is the one of 2 value, not of 12 + 2 value; on
 * the way it may wrap.
 * The target of 0.85 is out of reach: two dot products, two look-ups and an index for the high nibble that only p01 can shift down are 7 uops for two
 * vectors, and e2m1 is no sum over its bits, so that a mask in place cannot stand for a look-up as in int4_vnni4.prefix (0.5). With GFNI, 6.
 *
 *   ymm0-5 accumulators   ymm6 sum of the block   ymm7, ymm8 indices, values, products; scales   ymm9 values   ymm10 mask 0x0f
 *   ymm11 scales' bytes   ymm12-15 weights   of affine ymm0-4 accumulators   ymm5 matrix
 */
#ifdef SUMS_OF_WORDS
#define ORIGIN           "kneepoint"
#define MOST             6
#define ACTIVATION_BYTES 320
#elif defined AFFINE
#define ORIGIN           "kneepoint"
#define MOST             5
#define ACTIVATION_BYTES 288
#else
#define ORIGIN           "envelope"
#define MOST             6
#define ACTIVATION_BYTES 288
#endif
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define WEIGHT_BYTES     136
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

/* what is added to values */
#ifdef WEIGHTS_ARE_SIGNED
#define ZERO 0
#else
#define ZERO 12
#endif

#ifdef __ASSEMBLER__
#if defined AFFINE
#include "micro/isa/dot.avx_vnni.inc"
#elif !defined SUMS_OF_WORDS
#include "micro/of_self.h"
#include OF_ISA(micro/isa/dot)
#endif

    .section .rodata
    .balign 32
.Lvalues: .rept 2
    .byte ZERO, ZERO + 1, ZERO + 2, ZERO + 3, ZERO + 4, ZERO + 6, ZERO + 8, ZERO + 12
    .byte ZERO, ZERO - 1, ZERO - 2, ZERO - 3, ZERO - 4, ZERO - 6, ZERO - 8, ZERO - 12
    .endr
#if defined SUMS_OF_WORDS
.Lones: .fill 16, 2, 1
#elif !defined AFFINE
.Lmask0f: .fill 32, 1, 0x0f
#endif

.macro load_constants
    vmovdqa ymm9, [rip + .Lvalues]
#if defined SUMS_OF_WORDS || defined AFFINE
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
#else
    vmovdqa ymm10, [rip + .Lmask0f]
#endif
#ifdef AFFINE
    mov rcx, 0x1020408000000000
    vmovq xmm5, rcx
    vpbroadcastq ymm5, xmm5
#endif
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
    vmovq xmm11, [\base + \offset + 128]
.endm

/* the block's sum times its scale; ymm7 holds the scales' bytes moved to the exponents */
.macro dot_into number, source
    vfmadd231ps ymm\number, \source, ymm7
.endm

#ifdef SUMS_OF_WORDS
.macro multiply source, activations
    vpmaddubsw \source, \source, \activations
    vpaddw ymm6, ymm6, \source
.endm
#else
.macro multiply source, activations
    multiply_add ymm6, \source, <\activations>, \source
.endm
#endif

/* low nibbles are columns 8j … 8j+3, high nibbles the next four */
.macro two_vectors weights, activations
    vpand ymm7, \weights, ymm10
    vpshufb ymm7, ymm9, ymm7
#ifdef AFFINE
    vgf2p8affineqb ymm8, \weights, ymm5, 0
#else
    vpsrlw ymm8, \weights, 4
    vpand ymm8, ymm8, ymm10
#endif
    vpshufb ymm8, ymm9, ymm8
    multiply ymm7, <[rsi + \activations]>
    multiply ymm8, <[rsi + \activations + 32]>
.endm

.macro group
#ifdef SUMS_OF_WORDS
    vmovdqu ymm6, [rsi + 288]
#else
    vmovdqu ymm6, [rsi + 256]
#endif
    two_vectors ymm12, 0
    two_vectors ymm13, 64
    two_vectors ymm14, 128
    two_vectors ymm15, 192
#ifdef SUMS_OF_WORDS
    vpmaddwd ymm6, ymm6, [rip + .Lones]
#endif
    vcvtdq2ps ymm6, ymm6
    vpmovzxbd ymm7, xmm11
    vpslld ymm7, ymm7, 23
    dot ymm6
.endm

    sequence_functions
#else
#include "micro/formats/mxfp4/mxfp4.h"

enum { ROWS = 8 };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    mxfp4_refer(data, ROWS, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mxfp4_fill(ROWS, ZERO, weights, activations, seed);
#ifdef SUMS_OF_WORDS
    /* the start of the sums once more, in words: those of a row's even and odd pairs of columns */
    for (unsigned i = 0; i < 2 * ROWS; i++) {
        int16_t start = 0;
        for (unsigned j = 0; j < 8; j++) {
            const int8_t *pair = (const int8_t *)activations + 32 * j + 2 * i;
            start = (int16_t)(start - ZERO * (pair[0] + pair[1]));
        }
        memcpy(activations + 288 + 2 * i, &start, sizeof start);
    }
#endif
}
#endif
