/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, the 4-bit of [envelope, IV-D], with the look-ups of its 2-bit sequence: nibbles masked, translated by vpshufb to
 * 12 + 2 value, multiplied. Without VNNI each dot product is three instructions. A block of 32 weights of 8 rows, with its
 * scale (micro/sequences/mxfp4.h): 4 shifts, 8 AND, 8 vpshufb, 24 of dot products, then the sum to float, scales to
 * exponents (vpmovzxbd, vpslld 23), one multiply-add: 48 uops, and the load of -12 sum a, from which the block's sum
 * starts, for 8 output vectors.
 *
 *   Golden Cove        48 uops on p015; multiplications, shifts, conversion and multiply-add on p01: 23: >= 2.0
 *   Zen 3              48 on 4 pipes: >= 1.5
 *
 *   ymm0-5 accumulators   ymm6 sum of the block   ymm7, ymm8 indices, values, products; scales   ymm9 values
 *   ymm10 mask 0x0f   ymm11 scales' bytes   ymm12-15 weights
 */
#define FORMAT           "mxfp4"
#define SEQUENCE         "paper"
#define ORIGIN           "envelope"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_UOPS       49
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             6
#define WEIGHT_BYTES     136
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 288
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lvalues: .rept 2
    .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0
    .endr
.Lones: .fill 16, 2, 1

.macro load_constants
    vmovdqa ymm9, [rip + .Lvalues]
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
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

.macro multiply source, activations
    vpmaddubsw \source, \source, \activations
    vpmaddwd \source, \source, [rip + .Lones]
    vpaddd ymm6, ymm6, \source
.endm

/* low nibbles are columns 8j … 8j+3, high nibbles the next four */
.macro two_vectors weights, activations
    vpand ymm7, \weights, ymm10
    vpshufb ymm7, ymm9, ymm7
    vpsrlw ymm8, \weights, 4
    vpand ymm8, ymm8, ymm10
    vpshufb ymm8, ymm9, ymm8
    multiply ymm7, <[rsi + \activations]>
    multiply ymm8, <[rsi + \activations + 32]>
.endm

.macro group
    vmovdqu ymm6, [rsi + 256]
    two_vectors ymm12, 0
    two_vectors ymm13, 64
    two_vectors ymm14, 128
    two_vectors ymm15, 192
    vcvtdq2ps ymm6, ymm6
    vpmovzxbd ymm7, xmm11
    vpslld ymm7, ymm7, 23
    dot ymm6
.endm

    sequence_functions
#else
#include "micro/sequences/mxfp4.h"

enum { ROWS = 8, OFFSET = 12 };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    mxfp4_refer(data, ROWS, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mxfp4_fill(ROWS, OFFSET, weights, activations, seed);
}
#endif
