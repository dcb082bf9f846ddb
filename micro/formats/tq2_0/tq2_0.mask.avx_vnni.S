/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 (layout: micro/families/lookup/ternary_block.h), masks and vpdpbusd: one shift of 32 bytes brings all four fields to
 * weight 1 or 4, each weight with its 32-bit sums; those of weight 1 start from minus the sum of the activations and
 * are shifted to join the others, and the activations' scale takes the quarter. 2 shifts, 8 ANDs, 8 dot products, 2
 * loads to start and 2 to join the sums, 5 for the scales: 27 uops for 8 output vectors.
 * Golden Cove: 15 on p01, one on p5, the start on none: 25 / 3 >= 1.04. Four dot products in a chain, 20 cycles, hide
 * after the next blocks.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 sums of weight 1, 4   ymm6, ymm7 temporaries   ymm8 block's scale
 *   ymm9, ymm10 masks 0x03, 0x0c   ymm11 a quarter of the activations' scale   xmm13 scale of the block, 8 times
 *   ymm14, ymm15 weights   [rsi] struct ternary_activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       1
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
.Lzeros: .fill 32, 1, 0
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
.macro fields source, activations
    vpand ymm6, \source, ymm9
    vpand ymm7, \source, ymm10
    {vex} vpdpbusd ymm4, ymm6, [rsi + \activations]
    {vex} vpdpbusd ymm5, ymm7, [rsi + \activations + 32]
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxor makes them, and would chain the blocks */
.macro group
    vmovdqu ymm4, [rsi + 292]
    vmovdqa ymm5, [rip + .Lzeros]
    fields ymm14, 0
    vpsrlw ymm8, ymm14, 4
    fields ymm15, 128
    fields ymm8, 64
    vpsrlw ymm8, ymm15, 4
    fields ymm8, 192
    vcvtph2ps ymm8, xmm13
    vpslld ymm4, ymm4, 2
    vmulps ymm8, ymm8, ymm11
    vpaddd ymm4, ymm4, ymm5
    vcvtdq2ps ymm4, ymm4
    dot ymm4
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

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
