/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 without VNNI, sums kept in 16 bits over the block: what a word adds up, 8 * 2 * 12 * 127 = 24384, fits it, since the
 * sum starts at -12 (a + a') and so is the one of 2 value, not of 12 + 2 value; on the way it may wrap. Then one vpmaddwd,
 * and the scale as in mxfp4.envelope.avx2. A block of 32 weights of 8 rows: 4 shifts, 8 AND, 8 vpshufb, 8 vpmaddubsw, 8
 * vpaddw, 5 for the scale: 41 uops of arithmetic and the load of the sum's start for 8 output vectors. 42 uops
 * issued: 41 of arithmetic, 1 load.
 *
 *   Golden Cove        41 uops on p015; multiplications, shifts, conversion and multiply-add on p01: 16: >= 1.708
 *   Skylake            the same ports, vpshufb and vpmovzxbd p5: >= 1.708
 *   Haswell            multiplications and shifts on p0: 14: >= 1.75
 *   Zen 3              41 on 4 pipes: >= 1.281
 *
 *   ymm0-5 accumulators   ymm6 sum of the block   ymm7, ymm8 indices, values, products; scales   ymm9 values
 *   ymm10 mask 0x0f   ymm11 scales' bytes   ymm12-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             6
#define WEIGHT_BYTES     136
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 320
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
    vpaddw ymm6, ymm6, \source
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
    vmovdqu ymm6, [rsi + 288]
    two_vectors ymm12, 0
    two_vectors ymm13, 64
    two_vectors ymm14, 128
    two_vectors ymm15, 192
    vpmaddwd ymm6, ymm6, [rip + .Lones]
    vcvtdq2ps ymm6, ymm6
    vpmovzxbd ymm7, xmm11
    vpslld ymm7, ymm7, 23
    dot ymm6
.endm

    sequence_functions
#else
#include "micro/formats/mxfp4/mxfp4.h"

enum { ROWS = 8, OFFSET = 12 };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    mxfp4_refer(data, ROWS, sum, magnitude);
}

/* the start of the sums once more, in words: those of a row's even and odd pairs of columns */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mxfp4_fill(ROWS, OFFSET, weights, activations, seed);
    for (unsigned i = 0; i < 2 * ROWS; i++) {
        int16_t start = 0;
        for (unsigned j = 0; j < 8; j++) {
            const int8_t *pair = (const int8_t *)activations + 32 * j + 2 * i;
            start = (int16_t)(start - OFFSET * (pair[0] + pair[1]));
        }
        memcpy(activations + 288 + 2 * i, &start, sizeof start);
    }
}
#endif
