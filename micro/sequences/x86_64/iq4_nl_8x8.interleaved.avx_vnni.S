/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl_8x8: eight rows in chunks of eight bytes [arm-kernels-codebooks, 6.3]: block32_chunks.256.inc. The codebook, offset by 128, is a
 * register that a byte shuffle looks up in. Per line: shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd; of 8 rows 9 more.
 * Golden Cove: 16 on p01 (4 shifts, 8 vpdpbusd, conversions, scales), 11 on p15 (shuffles), 1 on p5, 9 anywhere: 37 on three ports,
 * 1.54 cycles per output vector. 48 uops issued: 37 of arithmetic, 11 loads.
 *
 *   ymm0-3 accumulators   ymm9 mask 0x0f   ymm10 codebook   the others: block32_chunks.256.inc
 */
#define FORMAT           "iq4_nl_8x8"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       48
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
    .section .rodata
    .balign 16
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

#include "micro/sequences/x86_64/block32_chunks.256.inc"
#include "micro/sequences/x86_64/products.avx_vnni.inc"

.macro line weights
    vpand ymm7, \weights, ymm9
.endm

.macro shift_line weights
    vpsrlw ymm6, \weights, 4
    vpand ymm7, ymm6, ymm9
.endm

.macro codes
    vpshufb ymm7, ymm10, ymm7
.endm

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm9, eax
    vpbroadcastd ymm9, xmm9
    vbroadcasti128 ymm10, [rip + .Lcodebook]
.endm

    sequence_functions
#else
#include "micro/sequences/block32_chunks.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    chunks_refer(data, 8, 8, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    chunks_fill(weights, activations, 8, 128, 2, seed);
}
#endif
