/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 as mxfp4.envelope.avx_vnni, the index of a high nibble made by one vgf2p8affineqb, a bit matrix that moves bits 4-7 of
 * each byte down and drops the rest, in place of shift and AND. 4 AND, 4 affine, 8 vpshufb, 8 dot products and the block's
 * 4: 28 uops of arithmetic for 8 output vectors. 29 uops issued: 28 of arithmetic, 1 load.
 *
 *   Golden Cove        28 uops on p015; affine p01 as vpdpbusd: 14: >= 1.167; without scales 24: 1.0
 *
 *   ymm0-4 accumulators   ymm5 matrix   ymm6 sum of the block   ymm7, ymm8 indices, values; scales   ymm9 values
 *   ymm10 mask 0x0f   ymm11 scales' bytes   ymm12-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             5
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

.macro load_constants
    vmovdqa ymm9, [rip + .Lvalues]
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov rcx, 0x1020408000000000
    vmovq xmm5, rcx
    vpbroadcastq ymm5, xmm5
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

/* low nibbles are columns 8j … 8j+3, high nibbles the next four */
.macro two_vectors weights, activations
    vpand ymm7, \weights, ymm10
    vpshufb ymm7, ymm9, ymm7
    vgf2p8affineqb ymm8, \weights, ymm5, 0
    vpshufb ymm8, ymm9, ymm8
    {vex} vpdpbusd ymm6, ymm7, [rsi + \activations]
    {vex} vpdpbusd ymm6, ymm8, [rsi + \activations + 32]
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
#include "micro/formats/mxfp4/mxfp4.h"

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
