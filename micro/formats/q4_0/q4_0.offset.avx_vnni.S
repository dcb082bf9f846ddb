/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0 as it is stored, offset by 8, two rows a byte: the low nibbles masked give L, the whole byte, multiplied as it
 * is, L + 16 H; one subtraction a block leaves 16 H, and the 1/16 is in the scale. No shift, one AND for 64 weights.
 * The sums begin at -8 sum a (and -136 sum a = -8 (1 + 16) sum a), so that no correction remains.
 * Per 64 weights: 1 AND, 2 vpdpbusd; a block of 16 rows: 12 more. 36 uops of arithmetic for 512 weights, scales
 * included.
 * Golden Cove: 24 on p01 (16 vpdpbusd, conversions, scales), 3 on p5, 9 anywhere: 0.75 cycles per output vector, by p01
 * and by all three ports alike. The two chains of 8 vpdpbusd take 40 cycles, so four blocks must overlap. 46 uops
 * issued: 36 of arithmetic, 10 loads.
 *
 *   ymm0-1 accumulators   ymm2 mask 0x0f   ymm3, ymm4 sums L, L + 16 H   ymm5 activations, scales   ymm6 codes
 *   ymm7 scales   ymm8-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 136 /* eight times the scale, eight times a sixteenth of it, -8 sum a, -136 sum a */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm2, eax
    vpbroadcastd ymm2, xmm2
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
    vfmadd231ps ymm\number, ymm5, \source
.endm

.macro quad weights, k
    vpbroadcastd ymm5, [rsi + \k]
    vpand ymm6, ymm\weights, ymm2
    {vex} vpdpbusd ymm3, ymm6, ymm5
    {vex} vpdpbusd ymm4, ymm\weights, ymm5
.endm

.macro group
    vpbroadcastd ymm3, [rsi + 128]
    vpbroadcastd ymm4, [rsi + 132]
    quad 8, 0
    quad 9, 4
    quad 10, 8
    quad 11, 12
    quad 12, 16
    quad 13, 20
    quad 14, 24
    quad 15, 28
    vpsubd ymm4, ymm4, ymm3
    vcvtdq2ps ymm3, ymm3
    vcvtdq2ps ymm4, ymm4
    vcvtph2ps ymm5, xmm7
    vmulps ymm5, ymm5, [rsi + 64]
    dot ymm3
    vextracti128 xmm5, ymm7, 1
    vcvtph2ps ymm5, xmm5
    vmulps ymm5, ymm5, [rsi + 96]
    dot ymm4
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
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT), 8);
    blocks_put_float(activations + BLOCK32_OWN + 32, blocks_float(activations + BLOCK32_FLOAT) / 16, 8);
    blocks_put_int32(activations + BLOCK32_OWN + 64, -8 * total, 1);
    blocks_put_int32(activations + BLOCK32_OWN + 68, -136 * total, 1);
}
#endif
