/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0_8x8: signed nibbles [arm-kernels-codebooks, 4.1.2] of eight rows in chunks of eight bytes: block32_chunks.256.inc. A bit turned back
 * in a whole line makes both nibbles of its bytes unsigned, and four products of them fit 16 bits: 4 x 2 x 15 x 127 = 15240.
 * Per line: vpxor, shift, 2 ANDs, 2 vpmaddubsw and of all 6 vpaddw; of each four rows vpmaddwd and the start; of 8 rows 9 more.
 * Golden Cove: 18 on p01 (4 shifts, 8 vpmaddubsw, 2 vpmaddwd, conversions, scales), 3 on p15 (shuffles), 1 on p5, 21 anywhere: 43 on
 * three ports, 1.79 cycles per output vector. Zen 3: 43 on four pipes, 1.34. 53 uops issued: 43 of arithmetic, 10 loads.
 *
 *   ymm0-3 accumulators   ymm9 mask 0x0f   ymm10 0x88   the others: block32_chunks.256.inc
 */
#define FORMAT           "q4_0_8x8"
#define SEQUENCE         "signed"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       53
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/block32_chunks.256.inc"

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
    .text

/* bit 3 of each nibble, turned back, makes it unsigned */
.macro line weights
    vpxor ymm6, \weights, ymm10
.endm

.macro shift_line weights
    vpsrlw ymm6, ymm6, 4
.endm

.macro codes
    vpand ymm7, ymm6, ymm9
.endm

.macro products_begin sums
.endm

.macro products_add sums, first
    .if \first
    vpmaddubsw \sums, ymm7, ymm8
    .else
    vpmaddubsw ymm7, ymm7, ymm8
    vpaddw \sums, \sums, ymm7
    .endif
.endm

.macro products_end sums
    vpmaddwd \sums, \sums, [rip + .Lones]
    .ifc \sums, ymm4
    vpbroadcastq ymm8, [rsi + 32]
    .endif
    vpaddd \sums, \sums, ymm8
.endm

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
    mov eax, 0x88888888
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
.endm

    sequence_functions
#else
#include "micro/sequences/block32_chunks.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    chunks_refer(data, 8, 8, block32_signed, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    chunks_fill(weights, activations, 8, 8, 2, seed);
}
#endif
