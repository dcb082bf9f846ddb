/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, two rows a byte. The codebook in the register is offset by 128, so the looked-up bytes are unsigned (1 to
 * 241) and vpdpbusd takes them; the sums begin at -128 sum a, so that no correction remains.
 * Per 64 weights: 1 shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd; a block of 16 rows: 11 more. 67 uops of arithmetic for 512
 * weights.
 * Golden Cove: 32 on p01, 16 on p15, 3 on p5, 16 anywhere: 67 on three ports, 1.40 cycles per output vector. 77 uops
 * issued: 67 of arithmetic, 10 loads.
 *
 *   ymm0-1 accumulators   ymm2, ymm3 sums of the rows 0-7 and 8-15   ymm4 activations, scales   ymm5 values
 *   ymm6 codebook   ymm7 scales   ymm8-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 100 /* eight times the scale, -128 sum a */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lmask: .fill 32, 1, 0x0f
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

.macro load_constants
    vbroadcasti128 ymm6, [rip + .Lcodebook]
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
    vpand ymm5, ymm\weights, [rip + .Lmask]
    vpshufb ymm5, ymm6, ymm5
    {vex} vpdpbusd ymm2, ymm5, ymm4
    vpsrlw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, [rip + .Lmask]
    vpshufb ymm5, ymm6, ymm5
    {vex} vpdpbusd ymm3, ymm5, ymm4
.endm

.macro group
    vpbroadcastd ymm2, [rsi + 96]
    vpbroadcastd ymm3, [rsi + 96]
    quad 8, 0
    quad 9, 4
    quad 10, 8
    quad 11, 12
    quad 12, 16
    quad 13, 20
    quad 14, 24
    quad 15, 28
    vcvtdq2ps ymm2, ymm2
    vcvtdq2ps ymm3, ymm3
    vcvtph2ps ymm4, xmm7
    vmulps ymm4, ymm4, [rsi + 64]
    dot ymm2
    vextracti128 xmm4, ymm7, 1
    vcvtph2ps ymm4, xmm4
    vmulps ymm4, ymm4, [rsi + 64]
    dot ymm3
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_PAIRED, 8, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_PAIRED, 8, seed);
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT), 8);
    blocks_put_int32(activations + BLOCK32_OWN + 32, -128 * total, 1);
}
#endif
