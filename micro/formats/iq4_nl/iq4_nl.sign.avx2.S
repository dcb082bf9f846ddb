/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, eight rows interleaved, see iq4_nl_8x8.interleaved.avx2. The signs go to the other side: |a| and a are known before the
 * first row, so vpsignb gives the looked-up values the sign of their activation and vpabsb is not needed; with both
 * magnitudes at most 127, two products (32258) fit vpmaddubsw.
 * Per 64 weights: 1 shift, 2 ANDs, 2 vpshufb and 2 products of 4 uops; scales of 8 rows: 5. 56 uops of arithmetic
 * for 256 weights.
 * Golden Cove: 32 on p01, 8 on p15, 1 on p5, 15 anywhere: 56 on three ports, 2.33 cycles per output vector. Zen 3: 56
 * on four pipes, 1.75. 72 uops issued: 56 of arithmetic, 16 loads.
 *
 *   ymm0-3 accumulators   ymm4 sums   ymm5 values, products   ymm6 |activations|   ymm7 activations, scales
 *   ymm8 codebook   ymm9 ones   ymm10 mask 0x0f   xmm11 scales   ymm12-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 128 /* eight times the scale, 32 magnitudes */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
    vbroadcasti128 ymm8, [rip + .Lcodebook]
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
    vpbroadcastd ymm6, [rsi + \activations + 96]
    vpsignb ymm5, ymm5, ymm7
    vpmaddubsw ymm6, ymm6, ymm5
.endm

.macro quad weights, k
    vpand ymm5, ymm\weights, ymm10
    vpshufb ymm5, ymm8, ymm5
    products \k
    .if \k == 0
    vpmaddwd ymm4, ymm6, ymm9
    .else
    vpmaddwd ymm6, ymm6, ymm9
    vpaddd ymm4, ymm4, ymm6
    .endif
    vpsrlw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm10
    vpshufb ymm5, ymm8, ymm5
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
#include <stdlib.h>

#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT), 8);
    for (uint32_t k = 0; k < 32; k++)
        activations[BLOCK32_OWN + 32 + k] = (uint8_t)abs(((int8_t *)activations)[k]);
}
#endif
