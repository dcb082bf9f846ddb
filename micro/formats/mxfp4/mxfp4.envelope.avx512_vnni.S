/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, the 4-bit of [envelope, IV-D], with the look-ups of its 2-bit sequence at 512 bits: nibbles masked, translated by
 * vpshufb to 12 + 2 value, multiplied. A block of 32 weights of 16 rows, with its scale (micro/formats/mxfp4/mxfp4.h): 4 shifts,
 * 8 AND, 8 vpshufb, 8 dot products, then the sum to float, scales to exponents (vpmovzxbd, vpslld 23), one
 * multiply-add: 32 uops of arithmetic, and the load of -12 sum a, from which the block's sum starts, for 16 output
 * vectors. 33 uops issued: 32 of arithmetic, 1 load.
 *
 *   Golden Cove        32 uops on p05; vpshufb, vpmovzxbd p5: 9; shifts, conversion p0: 6: >= 1.0; without scales 0.875
 *
 *   zmm0-11 accumulators   zmm20 values   zmm21 mask 0x0f   zmm24 sum of the block   zmm25, zmm26 indices, values; scales
 *   xmm27 scales' bytes   zmm28-31 weights
 */
#define ORIGIN           "envelope"
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
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm21, eax
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

/* low nibbles are columns 8j … 8j+3, high nibbles the next four */
.macro two_vectors weights, activations
    vpandd zmm25, \weights, zmm21
    vpshufb zmm25, zmm20, zmm25
    vpsrlw zmm26, \weights, 4
    vpandd zmm26, zmm26, zmm21
    vpshufb zmm26, zmm20, zmm26
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
