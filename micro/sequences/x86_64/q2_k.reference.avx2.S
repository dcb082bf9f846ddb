/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, a row at a time, in the order in which it is stored: the starting point for [arm-kernels-codebooks, 6.4]. Codes
 * are shifted and masked, their 16-bit products with the activations are multiplied by the scales of their groups of 16
 * (a byte shuffle spreads two scales over a register of words) as vpmaddwd adds them up; the minima meet the sums of
 * the activations, both exact in 32 bits; a block ends in two multiply-adds. The lanes are parts of one row.
 * Per 32 weights: 0.75 shifts, 1 AND, 1 vpmaddubsw, 1 shuffle, 1 vpmaddwd, 1 vpaddd; a block of 256: 16 more. 61 uops.
 * Golden Cove: 30 on p01, 9 on p15, 5 on p5, 17 anywhere: 61 on three ports, 2.54 cycles per output vector. Zen 3: 61
 * on four pipes, 1.91.
 *
 *   ymm0-3 accumulators   ymm4 scales   ymm5 minima, their sums   ymm6 sums   ymm7 codes, products
 *   ymm8 spread scales, dmin   ymm9 d   ymm11 mask 0x03   xmm12 d and dmin   xmm13 scales and minima
 *   ymm14, ymm15 codes
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_UOPS       61
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

.macro load_masks
.endm

.macro plane codes, chunk, shift
    .if \shift
    vpsrlw ymm7, ymm\codes, \shift
    vpand ymm7, ymm7, ymm11
    .else
    vpand ymm7, ymm\codes, ymm11
    .endif
    vpmaddubsw ymm7, ymm7, [rsi + 128 * \chunk + 16 * \shift]
    vpshufb ymm8, ymm4, [rip + .Lspread + 128 * \chunk + 16 * \shift]
    .if \chunk + \shift
    vpmaddwd ymm7, ymm7, ymm8
    vpaddd ymm6, ymm6, ymm7
    .else
    vpmaddwd ymm6, ymm7, ymm8
    .endif
.endm

.macro planes codes, chunk
    plane \codes, \chunk, 0
    plane \codes, \chunk, 2
    plane \codes, \chunk, 4
    plane \codes, \chunk, 6
.endm

.macro codes
    planes 14, 0
    planes 15, 1
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
    q2_k_row_256_fill(weights, activations, seed, 1);
}
#endif
