/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q8_0, a row at a time: signed codes times signed activations, which is vpabsb and vpsignb before vpmaddubsw (at most
 * 2 x 128 x 127). Of a block: vpabsb, vpsignb, vpmaddubsw, vpmaddwd, 2 conversions, 1 product of scales, 1 multiply-add.
 * Golden Cove: 6 on p01 (products, conversions, scales), 2 on p15 (vpabsb, vpsignb), 1 on p5 (half of vcvtph2ps): 9 uops on three
 * ports, 3.0 cycles per output vector. 10 uops issued: 9 of arithmetic, 1 load.
 *
 *   ymm0-3 accumulators   ymm4 magnitudes, products   ymm6 scales   ymm7 of the activations: signed, scale   ymm9 scale
 *   ymm10 weights   ymm11 ones   ymm15 activations
 */
#define FORMAT           "q8_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            34.0
#define GROUP_DOTS       1
#define GROUP_UOPS       10
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     34
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    vmovdqu ymm15, [rsi]
    mov eax, 0x10001
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vmovdqu ymm10, [\base + \offset + 2]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    vpabsb ymm4, ymm10
    vpsignb ymm7, ymm15, ymm10
    vpmaddubsw ymm4, ymm4, ymm7
    vpmaddwd ymm4, ymm4, ymm11
    vcvtdq2ps ymm4, ymm4
    vcvtph2ps ymm6, xmm9
    vbroadcastss ymm7, dword ptr [rsi + 36]
    vmulps ymm6, ymm6, ymm7
    dot ymm4
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
}
#endif
