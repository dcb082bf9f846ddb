/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0 as it is stored, offset by 8: the unsigned codes are multiplied as they are, and 8 times the sum of the
 * activations, one number a block for all rows, is taken off. vpmaddubsw of codes below 16 leaves room in 16 bits:
 * eight of them (at most 8 x 2 x 15 x 127 = 30480) are added before vpmaddwd widens once a block. The nibbles of a byte
 * are two rows, so that both meet one broadcast of activations.
 * Per 64 weights: 1 shift, 2 ANDs, 2 vpmaddubsw, 2 vpaddw; a block of 16 rows: 15 more. 69 uops of arithmetic for
 * 512 weights.
 * Golden Cove: 34 on p01, 3 on p5, 32 anywhere: 69 on three ports, 1.44 cycles per output vector. Zen 3: 69 on four
 * pipes, 1.08. 77 uops issued: 69 of arithmetic, 8 loads.
 *
 *   ymm0-1 accumulators   ymm2, ymm3 sums of the rows 0-7 and 8-15   ymm4 activations, scales   ymm5 codes, products
 *   ymm6 mask 0x0f   ymm7 scales   ymm8-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 128 /* eight times -8 sum a, eight times the scale */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
.endm

.macro load_weights base, offset
    vmovdqu ymm7, [\base + \offset]
    vmovdqu ymm8, [\base + \offset + 32]
    vmovdqu ymm9, [\base + \offset + 64]
    vmovdqu ymm10, [\base + \offset + 96]
    vmovdqu ymm11, [\base + \offset + 128]
    vmovdqu ymm12, [\base + \offset + 160]
    vmovdqu ymm13, [\base + \offset + 192]
    vmovdqu ymm14, [\base + \offset + 224]
    vmovdqu ymm15, [\base + \offset + 256]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm4, \source
.endm

.macro quad weights, k
    vpbroadcastd ymm4, [rsi + \k]
    vpand ymm5, ymm\weights, ymm6
    multiply 2, \k
    vpsrlw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm6
    multiply 3, \k
.endm

.macro multiply sums, k
    .if \k
    vpmaddubsw ymm5, ymm5, ymm4
    vpaddw ymm\sums, ymm\sums, ymm5
    .else
    vpmaddubsw ymm\sums, ymm5, ymm4
    .endif
.endm

/* 16-bit sums to the signed dot products as floats */
.macro widen sums
    vpmaddwd ymm\sums, ymm\sums, [rip + .Lones]
    vpaddd ymm\sums, ymm\sums, [rsi + 64]
    vcvtdq2ps ymm\sums, ymm\sums
.endm

.macro group
    quad 8, 0
    quad 9, 4
    quad 10, 8
    quad 11, 12
    quad 12, 16
    quad 13, 20
    quad 14, 24
    quad 15, 28
    widen 2
    widen 3
    vcvtph2ps ymm4, xmm7
    vmulps ymm4, ymm4, [rsi + 96]
    dot ymm2
    vextracti128 xmm4, ymm7, 1
    vcvtph2ps ymm4, xmm4
    vmulps ymm4, ymm4, [rsi + 96]
    dot ymm3
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_PAIRED, 8, dot, block32_offset8, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_PAIRED, 8, seed);
    blocks_put_int32(activations + BLOCK32_OWN, -8 * total, 8);
    blocks_put_float(activations + BLOCK32_OWN + 32, blocks_float(activations + BLOCK32_FLOAT), 8);
}
#endif
