/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0, a row at a time, codes multiplied as they are stored: a block less 8 times the sum of its activations is a block
 * less that sum in each of 8 lanes, so no byte is made signed. A load that repeats the 16 bytes and one shift by 0 and 4
 * bits part the nibbles.
 * Of a block: 1 shift, 1 AND, 1 vpmaddubsw, 1 vpmaddwd, 1 subtraction, 2 conversions, 1 product of scales, 1 multiply-add.
 * Golden Cove: 7 on p01 (shift, products, conversions, scales), 1 on p5 (half of vcvtph2ps), 2 anywhere: 10 uops on three
 * ports, 3.33 cycles per output vector, or 3.5 for those on p01. 12 uops issued: 10 of arithmetic, 2 loads.
 *
 *   ymm0-3 accumulators   ymm4 codes, products   ymm6 scales   ymm7 of the activations: sum, scale   ymm9 scale
 *   ymm10 nibbles   ymm11 ones   ymm12 shifts   ymm13 mask 0x0f   ymm15 activations
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       12
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 68 /* from 64: the sum of the activations */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lshifts: .long 0, 0, 0, 0, 4, 4, 4, 4

.macro load_constants
    vmovdqu ymm15, [rsi]
    vmovdqa ymm12, [rip + .Lshifts]
    mov eax, 0x0f0f0f0f
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
    mov eax, 0x10001
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vbroadcasti128 ymm10, [\base + \offset + 2]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    vpsrlvd ymm4, ymm10, ymm12
    vpand ymm4, ymm4, ymm13
    vpmaddubsw ymm4, ymm4, ymm15
    vpbroadcastd ymm7, dword ptr [rsi + 64]
    vpmaddwd ymm4, ymm4, ymm11
    vpsubd ymm4, ymm4, ymm7
    vcvtdq2ps ymm4, ymm4
    vcvtph2ps ymm6, xmm9
    vbroadcastss ymm7, dword ptr [rsi + 36]
    vmulps ymm6, ymm6, ymm7
    dot ymm4
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

/** Lane l has columns 4 l … of the low nibbles, or from lane 4 on of the high ones, and an eighth of the offset. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_half(data->weights) * blocks_float(data->activations + BLOCK32_FLOAT);
    int32_t total = 0;
    for (uint32_t k = 0; k < 32; k++)
        total += a[k];
    for (uint32_t lane = 0; lane < 8; lane++) {
        int32_t products = -total;
        double magnitude = fabs(scale * total);
        for (uint32_t k = 4 * lane; k < 4 * lane + 4; k++) {
            int32_t product =
                (int32_t)blocks_code(data->weights, block32_position(BLOCK32_ROW, 8, 0, k), 4) * a[k];
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_ROW, 8, seed);
    blocks_put_int32(activations + BLOCK32_OWN, total, 1);
}
#endif
