/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 (layout: micro/sequences/ternary_block.h), masks: one shift of 32 bytes brings all four fields to weight 1 or
 * 4; each weight has its chain of 16-bit sums (codes up to 3 reach 3048 and 12192 a block), joined by vpmaddwd with 4
 * and 1; the activations' scale takes the quarter. 2 shifts, 8 ANDs, 8 vpmaddubsw, 6 vpaddw, 1 vpsubw for the offset, 3
 * to join and widen, 5 for the scales: 33 uops for 8 output vectors; 36 as its paper does it.
 * Golden Cove: 16 on p01, one on p5: 33 / 3 >= 1.38. Zen 3: 33 / 4 >= 1.03. The scale of every 8 vectors costs a sixth.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 sums of weight 1, 4   ymm6, ymm7 temporaries   ymm8 block's scale
 *   ymm9, ymm10 masks 0x03, 0x0c   ymm11 a quarter of the activations' scale   xmm13 scale of the block, 8 times
 *   ymm14, ymm15 weights   [rsi] struct ternary_activations
 */
#define FORMAT           "tq2_0"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       1
#define GROUP_UOPS       33
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     66
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lfours: .fill 16, 2, 4
.Lquarter: .float 0.25

.macro load_constants
    mov eax, 0x03030303
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
    vpslld ymm10, ymm9, 2
    vbroadcastss ymm11, [rsi + 288]
    vbroadcastss ymm4, [rip + .Lquarter]
    vmulps ymm11, ymm11, ymm4
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
    vmovdqu ymm15, [\base + \offset + 32]
    vpbroadcastw xmm13, [\base + \offset + 64]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, \source, ymm8
.endm

/* two fields of a register and their activations, 32 apart */
.macro fields source, activations, is_first
    vpand ymm6, \source, ymm9
    vpand ymm7, \source, ymm10
    .if \is_first
    vpmaddubsw ymm4, ymm6, [rsi + \activations]
    vpmaddubsw ymm5, ymm7, [rsi + \activations + 32]
    .else
    vpmaddubsw ymm6, ymm6, [rsi + \activations]
    vpmaddubsw ymm7, ymm7, [rsi + \activations + 32]
    vpaddw ymm4, ymm4, ymm6
    vpaddw ymm5, ymm5, ymm7
    .endif
.endm

.macro group
    fields ymm14, 0, 1
    vpsrlw ymm8, ymm14, 4
    fields ymm15, 128, 0
    fields ymm8, 64, 0
    vpsrlw ymm8, ymm15, 4
    vpsubw ymm4, ymm4, [rsi + 256]
    fields ymm8, 192, 0
    vcvtph2ps ymm8, xmm13
    vpmaddwd ymm4, ymm4, [rip + .Lfours]
    vpmaddwd ymm5, ymm5, [rip + .Lones]
    vmulps ymm8, ymm8, ymm11
    vpaddd ymm4, ymm4, ymm5
    vcvtdq2ps ymm4, ymm4
    dot ymm4
.endm

    sequence_functions

#else

#include "micro/sequences/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    tq2_0_row(data, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 64, 1, activations, seed);
}

#endif
