/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, a row at a time: a load that repeats the 16 bytes and one shift by 0 and 4 bits part the nibbles, a byte shuffle
 * looks 32 codes up, signed times signed is vpabsb and vpsignb before vpmaddubsw (at most 2 x 127 x 127).
 * Of a block: 1 shift, 1 AND, 1 vpshufb, vpabsb, vpsignb, vpmaddubsw, vpmaddwd, 2 conversions, 1 product of scales, 1 multiply-add.
 * Golden Cove: 7 on p01 (shift, products, conversions, scales), 3 on p15 (byte shuffle, vpabsb, vpsignb), 1 on p5 (half of
 * vcvtph2ps), 1 anywhere: 12 uops on three ports, 4.0 cycles per output vector. 13 uops issued: 12 of arithmetic, 1 load.
 *
 *   ymm0-3 accumulators   ymm4 values   ymm5 magnitudes, products   ymm6 scales   ymm7 of the activations: signed, scale
 *   ymm8 codebook   ymm9 scale   ymm10 nibbles   ymm11 ones   ymm12 shifts   ymm13 mask 0x0f   ymm15 activations
 */
#define FORMAT           "iq4_nl"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       13
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lshifts: .long 0, 0, 0, 0, 4, 4, 4, 4
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro load_constants
    vmovdqu ymm15, [rsi]
    vmovdqa ymm12, [rip + .Lshifts]
    vbroadcasti128 ymm8, [rip + .Lcodebook]
    mov eax, 0x0f0f0f0f
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
    mov eax, 0x10001
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vbroadcasti128 ymm10, [\base + \offset + 2]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    vpsrlvd ymm4, ymm10, ymm12
    vpand ymm4, ymm4, ymm13
    vpshufb ymm4, ymm8, ymm4
    vpabsb ymm5, ymm4
    vpsignb ymm7, ymm15, ymm4
    vpmaddubsw ymm5, ymm5, ymm7
    vpmaddwd ymm5, ymm5, ymm11
    vcvtdq2ps ymm5, ymm5
    vcvtph2ps ymm6, xmm9
    vbroadcastss ymm7, dword ptr [rsi + 36]
    vmulps ymm6, ymm6, ymm7
    dot ymm5
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_ROW, 8, dot, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 8, seed);
}
#endif
