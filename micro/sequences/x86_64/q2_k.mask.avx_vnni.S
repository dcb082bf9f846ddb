/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, a block of one row as it is stored: fields at bits 1:0 and 3:2 stay there, so that of 6 shifts of a block 2 are left, and have sums of their own;
 * the upper ones are four times too large, which four times the lower ones and a quarter of the scale make good. A byte shuffle spreads the scales of two
 * groups over a register of words, and vpdpwssd applies them and adds.
 * Per 32 weights: 0.25 shifts, 1 AND, 1 vpmaddubsw, 1 shuffle, 1 vpdpwssd; a block of 256: 18 more.
 * 54 uops issued: 52 of arithmetic, 2 loads.
 *
 *   ymm0-3 accumulators   ymm4 scales   ymm5 minima, their sums   ymm6 sums of upper fields   ymm7 codes, products
 *   ymm8 spread scales, dmin   ymm9 shifted codes, d   ymm10 sums of lower fields   ymm11 mask 0x03   xmm12 d and dmin   xmm13 scales and minima
 *   ymm14, ymm15 codes
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_UOPS       54
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     84
#define ACTIVATION_BYTES 368 /* 16 sums; scale, -scale and two zeros */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/q2_k.row.256.inc"

    .section .rodata
    .balign 32
.Lfour: .fill 32, 1, 0x0c
.Lzero: .fill 32, 1, 0
    .text

.macro load_masks
.endm

.macro field sum, codes, number
    .if \number % 2
    vpand ymm7, ymm\codes, [rip + .Lfour]
    .else
    vpand ymm7, ymm\codes, ymm11
    .endif
    vpmaddubsw ymm7, ymm7, [rsi + 32 * \number]
    vpshufb ymm8, ymm4, [rip + .Lspread + 32 * \number]
    {vex} vpdpwssd ymm\sum, ymm7, ymm8
.endm

.macro half codes, number
    field 10, \codes, \number
    field 6, \codes, %(\number + 1)
    vpsrlw ymm9, ymm\codes, 4
    field 10, 9, %(\number + 2)
    field 6, 9, %(\number + 3)
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxor makes them, and would chain the blocks */
.macro codes
    vmovdqa ymm6, [rip + .Lzero]
    vmovdqa ymm10, [rip + .Lzero]
    half 14, 0
    half 15, 4
    vpslld ymm10, ymm10, 2
    vpaddd ymm6, ymm6, ymm10
.endm

    sequence_functions
#else
#include "micro/sequences/q2_k_row_256.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    q2_k_row_256_refer(data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q2_k_row_256_fill(weights, activations, seed, 4);
}
#endif
