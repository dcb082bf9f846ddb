/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0 with signed nibbles [arm-kernels-codebooks, 4.1.2, Fig. 4], see q4_0.signed.avx2. vpdpbssd is what SDOT is to
 * the paper: signed times signed.
 * Per 64 weights: 1 shift, 2 ANDs, 2 vpdpbssd; scales of 8 rows: 5. 25 uops for 256 weights.
 * A core with the ports of Golden Cove (which lacks it): 16 on p01, 1 on p5, 8 anywhere: 1.04 cycles per output vector.
 *
 *   ymm0-3 accumulators   ymm4 sums   ymm5 weights as bytes   ymm7 activations, scales   ymm10 mask 0xf0   xmm11 scales
 *   ymm12-15 weights
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "signed"
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       34
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
    .section .rodata
    .balign 32
.Lzero: .fill 32, 1, 0

.macro load_constants
    mov eax, 0xf0f0f0f0
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
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
    vpdpbssd ymm4, ymm5, ymm7
.endm

.macro quad weights, k
    vpsllw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm10
    products \k
    vpand ymm5, ymm\weights, ymm10
    products %(\k + 16)
.endm

.macro group
    vmovdqa ymm4, [rip + .Lzero]
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
#include "micro/sequences/block32.h"

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
