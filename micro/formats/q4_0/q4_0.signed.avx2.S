/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0 with signed nibbles [arm-kernels-codebooks, 4.1.2, Fig. 4]: the upper bit of each code is toggled when it is
 * packed, so that shifting left by 4 and masking with 0xf0 give the signed weights times 16 and no subtraction is
 * needed; the scale of the activations carries the 1/16. x86 shifts words, not bytes: the shifted one wants a mask too.
 * Eight rows interleaved, a lane is a row.
 * Per 64 weights: 1 shift, 2 ANDs and 2 products of 5 uops (vpabsb, vpsignb, vpmaddubsw: at most 2 x 128 x 127,
 * vpmaddwd, vpaddd); scales of 8 rows: 5. 56 uops of arithmetic for 256 weights.
 * Golden Cove: 40 on p01, 1 on p5, 15 anywhere: 2.5 cycles per output vector, bound by p01. Zen 3: 56 on four pipes,
 * 1.75. 64 uops issued: 56 of arithmetic, 8 loads.
 *
 *   ymm0-3 accumulators   ymm4 sums   ymm5 weights as bytes   ymm6 magnitudes, products   ymm7 activations, scales
 *   ymm9 ones   ymm10 mask 0xf0   xmm11 scales   ymm12-15 weights
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 96
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0xf0f0f0f0
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    mov eax, 0x10001
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
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

/* signed bytes ymm5 times four activations */
.macro products activations
    vpbroadcastd ymm7, [rsi + \activations]
    vpabsb ymm6, ymm5
    vpsignb ymm7, ymm7, ymm5
    vpmaddubsw ymm6, ymm6, ymm7
.endm

.macro quad weights, k
    vpsllw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm10
    products \k
    .if \k == 0
    vpmaddwd ymm4, ymm6, ymm9
    .else
    vpmaddwd ymm6, ymm6, ymm9
    vpaddd ymm4, ymm4, ymm6
    .endif
    vpand ymm5, ymm\weights, ymm10
    products %(\k + 16)
    vpmaddwd ymm6, ymm6, ymm9
    vpaddd ymm4, ymm4, ymm6
.endm

.macro group
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
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_signed, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT) / 16, 8);
}
#endif
