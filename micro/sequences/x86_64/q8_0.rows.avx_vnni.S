/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q8_0, a row at a time: block32_rows.avx_vnni.inc. vpxor adds 128 to the codes, which vpdpbusd wants unsigned. Of a block: vpxor, vpdpbusd,
 * 2 conversions, 1 product of scales, 1 multiply-add. Golden Cove: 5 on p01, 1 on p5 (half of vcvtph2ps), 1 anywhere: 7 uops on three
 * ports, 2.5 cycles per output vector, bound by p01. 9 uops issued: 7 of arithmetic, 2 loads.
 *
 *   ymm0-3 accumulators   ymm9 scale   ymm10 weights   ymm13 0x80   the others: block32_rows.avx_vnni.inc
 */
#define FORMAT           "q8_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define GROUP_DOTS       1
#define GROUP_UOPS       9
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     34
#define ACTIVATION_BYTES 96
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/block32_rows.avx_vnni.inc"

.macro load_constants
    vmovdqu ymm15, [rsi]
    mov eax, 0x80808080
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vmovdqu ymm10, [\base + \offset + 2]
.endm

.macro codes
    vpxor ymm5, ymm10, ymm13
.endm

.macro scale
    vcvtph2ps ymm6, xmm9
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block32_refer_row_bytes(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill_row_bytes(weights, activations, seed);
    block32_fill_row_starts(activations, 128);
}
#endif
