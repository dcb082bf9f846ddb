/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0_8x8: signed nibbles [arm-kernels-codebooks, 4.1.2] of eight rows in chunks of eight bytes: block32_chunks.256.inc. A bit turned back
 * in a whole line makes both nibbles of its bytes unsigned, as vpdpbusd wants them; the sums begin at what that adds.
 * Per line: vpxor, shift, 2 ANDs, 2 vpdpbusd; of 8 rows 9 more: 3 to join, 2 conversions (3 uops), a shuffle, scales, multiply-add.
 * Golden Cove: 16 on p01 (4 shifts, 8 vpdpbusd, conversions, scales), 3 on p15 (shuffles), 1 on p5, 13 anywhere: 33 on three ports,
 * 1.38 cycles per output vector. 44 uops issued: 33 of arithmetic, 11 loads.
 *
 *   ymm0-3 accumulators   ymm9 mask 0x0f   ymm10 0x88   the others: block32_chunks.256.inc
 */
#define FORMAT           "q4_0_8x8"
#define SEQUENCE         "signed"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       44
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
#include "micro/sequences/x86_64/products.avx_vnni.inc"

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
