/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0, a row at a time: the reference kernel that [arm-kernels-codebooks, Fig. 2, sections 3 and 4.1.2] sets out from.
 * Mask, shift and subtract 8 give signed bytes; their dot product with one block of activations is converted and scaled
 * by the two half-precision scales, which are converted for each block and row. The lanes are parts of one row
 * ("pseudo- scalar"); adding them up, once a row, is not part of it. Signed bytes times signed bytes is vpsignb and
 * vpabsb before vpmaddubsw. 16 uops for 32 weights. Golden Cove: 10 on p01 (shift, sign, products, conversions, scale),
 * 4 on p5 (insert, broadcast, half of vcvtph2ps), 2 anywhere: 5.33 cycles per output vector. Zen 3: 16 on four pipes,
 * 4.0.
 *
 *   ymm0-3 accumulators   ymm4 signed weights   ymm5 magnitudes, products   ymm6, ymm7 scales
 *   ymm8 scale of activations   ymm9 scale   ymm10 nibbles   ymm11 ones   ymm12 eights   ymm13 mask 0x0f
 *   ymm15 activations
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       16
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 40
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    vmovdqu ymm15, [rsi]
    movzx eax, word ptr [rsi + 32]
    vmovd xmm8, eax
    mov eax, 0x0f0f0f0f
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
    mov eax, 0x08080808
    vmovd xmm12, eax
    vpbroadcastd ymm12, xmm12
    mov eax, 0x10001
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vmovdqu xmm10, [\base + \offset + 2]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    vpsrlw xmm4, xmm10, 4
    vinserti128 ymm4, ymm10, xmm4, 1
    vpand ymm4, ymm4, ymm13
    vpsubb ymm4, ymm4, ymm12
    vpabsb ymm5, ymm4
    vpsignb ymm4, ymm15, ymm4
    vpmaddubsw ymm5, ymm5, ymm4
    vpmaddwd ymm5, ymm5, ymm11
    vcvtdq2ps ymm5, ymm5
    vcvtph2ps xmm6, xmm9
    vcvtph2ps xmm7, xmm8
    vmulss xmm6, xmm6, xmm7
    vbroadcastss ymm6, xmm6
    dot ymm5
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_ROW, 8, dot, block32_offset8, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 8, seed);
}
#endif
