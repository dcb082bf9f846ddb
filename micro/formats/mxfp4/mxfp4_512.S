/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, the 4-bit of [envelope, IV-D], with the look-ups of its 2-bit sequence at 512 bits: nibbles translated to 12 + 2 value, multiplied. A block of 32
 * weights of 16 rows, with its scale (micro/formats/mxfp4/mxfp4.h): 4 shifts, 8 look-ups, 8 dot products, then the sum to float, scales to exponents
 * (vpmovzxbd, vpslld 23), one multiply-add, and the load of -12 sum a, from which the block's sum starts, for 16 output vectors.
 *
 *   envelope       vpshufb, and 8 AND: 33 uops issued: 32 of arithmetic, 1 load.
 *                  Golden Cove: 32 on p05; vpshufb, vpmovzxbd p5: 9; shifts, conversion p0: 6: >= 1.0; without scales 0.875
 *   lookup, VBMI   vpermb ignores bits 6-7 of an index; a table that repeats the sixteen values four times ignores bits 4-5 too. So no nibble is masked: the
 *                  byte itself is the index of its low nibble, the byte shifted right that of its high one. 25 issued: 24 of arithmetic, 1 load.
 *                  24 on p05; vpermb, vpmovzxbd p5: 9; shifts, conversion p0: 6: >= 0.75; without scales 0.625; a core whose zmm vpdpbusd and vfmadd are p0
 *                  alone: 0.94
 *
 * The target of 0.60 is just out of reach: a look-up and a dot product for each 64 weights and a shift for every other are 2.5 uops of two ports for two
 * vectors, 0.625, before any scale. e2m1 is no sum over its bits, so a mask in place cannot stand for a look-up as in int4_vnni4.prefix (0.375).
 *
 *   zmm0-11 accumulators   zmm20 values   zmm21 mask 0x0f   zmm24 sum of the block   zmm25, zmm26 indices, values; scales   xmm27 scales' bytes
 *   zmm28-31 weights
 */
#ifdef LOOKED_UP_BY_VPERMB
#define ORIGIN           "kneepoint"
#else
#define ORIGIN           "envelope"
#endif
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     272
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 576
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-4
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 16
.Lvalues: .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

.macro load_constants
    vbroadcasti32x4 zmm20, [rip + .Lvalues]
#ifndef LOOKED_UP_BY_VPERMB
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm21, eax
#endif
.endm

.macro load_weights base, offset
    vmovdqu64 zmm28, [\base + \offset]
    vmovdqu64 zmm29, [\base + \offset + 64]
    vmovdqu64 zmm30, [\base + \offset + 128]
    vmovdqu64 zmm31, [\base + \offset + 192]
    vmovdqu32 xmm27, [\base + \offset + 256]
.endm

/* the block's sum times its scale; zmm25 holds the scales' bytes moved to the exponents */
.macro dot_into number, source
    vfmadd231ps zmm\number, \source, zmm25
.endm

.macro look_up to, from
#ifdef LOOKED_UP_BY_VPERMB
    vpermb \to, \from, zmm20
#else
    vpandd \to, \from, zmm21
    vpshufb \to, zmm20, \to
#endif
.endm

/* low nibbles are columns 8j … 8j+3, high nibbles the next four */
.macro two_vectors weights, activations
    look_up zmm25, \weights
    vpsrlw zmm26, \weights, 4
    look_up zmm26, zmm26
    vpdpbusd zmm24, zmm25, [rsi + \activations]
    vpdpbusd zmm24, zmm26, [rsi + \activations + 64]
.endm

.macro group
    vmovdqu64 zmm24, [rsi + 512]
    two_vectors zmm28, 0
    two_vectors zmm29, 128
    two_vectors zmm30, 256
    two_vectors zmm31, 384
    vcvtdq2ps zmm24, zmm24
    vpmovzxbd zmm25, xmm27
    vpslld zmm25, zmm25, 23
    dot zmm24
.endm

    sequence_functions
#else
#include "micro/formats/mxfp4/mxfp4.h"

enum { ROWS = 16, OFFSET = 12 };

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
