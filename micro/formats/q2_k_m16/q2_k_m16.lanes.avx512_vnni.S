/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k_m16, half a block of 16 rows whose lanes are rows: q2_k_m16.lanes.avx512_vnni.inc.
 * Golden Cove at 512 bits: 110 on p05 (10 of them on p5 only): 55 cycles, 0.86 per output vector. 121 uops issued: 110 of arithmetic, 11
 * loads.
 *
 *   zmm0 accumulator   zmm1 low, zmm2 high group bytes   ymm3 d   zmm16-23 codes   the others: the .inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     672 /* half a block, and half of its d and dmin, which rows r and r + 8 share here */
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/formats/q2_k_m16/q2_k_m16.lanes.avx512_vnni.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vbroadcasti32x4 ymm3, [\base + \offset]
    vmovdqu32 zmm1, [\base + \offset + 32]
    vmovdqu32 zmm2, [\base + \offset + 96]
    vmovdqu32 zmm16, [\base + \offset + 160]
    vmovdqu32 zmm17, [\base + \offset + 224]
    vmovdqu32 zmm18, [\base + \offset + 288]
    vmovdqu32 zmm19, [\base + \offset + 352]
    vmovdqu32 zmm20, [\base + \offset + 416]
    vmovdqu32 zmm21, [\base + \offset + 480]
    vmovdqu32 zmm22, [\base + \offset + 544]
    vmovdqu32 zmm23, [\base + \offset + 608]
.endm

.macro nothing
.endm

.macro group
    group_of rsi, <rsi + Q2_K_SUMS>, rsi, zmm1, zmm2, ymm3, ymm3, nothing, nothing
.endm

    sequence_functions
#else
#include "micro/families/blocks/blocks.h"
#include "micro/formats/q2_k/q2_k_operand.h"

enum { ROWS = 16, DMIN = 16, GROUPS = 32, CODES = 160 };

/** Lane r is row r; d serves for the minima, too. Byte b of line l has bits 2 p of column 32 p + 4 l + b. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + Q2_K_SCALE);
    for (uint32_t lane = 0; lane < ROWS; lane++) {
        double d = blocks_half(data->weights + 2 * (lane % 8)), value = 0, magnitude = 0;
        for (uint32_t column = 0; column < 128; column++) {
            uint32_t group = column / 16, byte = data->weights[GROUPS + group / 4 * 64 + 4 * lane + group % 4];
            uint32_t at = column % 32, codes = data->weights[CODES + at / 4 * 64 + 4 * lane + at % 4];
            double weight = dot == 0 ? d * (byte & 15) * (codes >> column / 32 * 2 & 3) : -d * (byte >> 4);
            value += weight * scale * a[column];
            magnitude += fabs(weight * scale * a[column]);
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, 16, &state);
    blocks_draw(weights + GROUPS, 640, a, 256, seed);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += a[16 * group + k];
        blocks_put_int16(activations + Q2_K_SUMS + group / 4 * 8 + group % 2 * 4 + group % 4 / 2 * 2,
                         group % 2 ? 16 * total : total);
    }
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + Q2_K_SCALE, scale, 1);
    blocks_put_float(activations + Q2_K_MINIMA, -scale / 16, 1);
}
#endif
