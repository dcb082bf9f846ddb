/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, a row at a time: block32_rows.avx_vnni.inc. A load that repeats the 16 bytes and one shift by 0 and 4 bits part the nibbles, a byte
 * shuffle looks 32 codes up, 128 more than the weights. Of a block: 1 shift, 1 AND, 1 vpshufb, 1 vpdpbusd, 2 conversions, 1 product of
 * scales, 1 multiply-add. Golden Cove: 6 on p01, 1 on p15 (vpshufb), 1 on p5 (half of vcvtph2ps), 1 anywhere: 9 uops on three ports,
 * 3.0 cycles per output vector. 11 uops issued: 9 of arithmetic, 2 loads.
 *
 *   ymm8 codebook   ymm0-3 accumulators   ymm9 scale   ymm10 nibbles   ymm12 shifts   ymm13 mask 0x0f   the others: block32_rows.avx_vnni.inc
 */
#define FORMAT           "iq4_nl"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       11
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 96
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/block32_rows.avx_vnni.inc"

    .section .rodata
    .balign 32
.Lshifts: .long 0, 0, 0, 0, 4, 4, 4, 4
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

.macro load_constants
    vmovdqu ymm15, [rsi]
    vmovdqa ymm12, [rip + .Lshifts]
    mov eax, 0x0f0f0f0f
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
    vbroadcasti128 ymm8, [rip + .Lcodebook]
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vbroadcasti128 ymm10, [\base + \offset + 2]
.endm

.macro codes
    vpsrlvd ymm5, ymm10, ymm12
    vpand ymm5, ymm5, ymm13
    vpshufb ymm5, ymm8, ymm5
.endm

.macro scale
    vcvtph2ps ymm6, xmm9
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
    block32_fill_row_starts(activations, 128);
}
#endif
