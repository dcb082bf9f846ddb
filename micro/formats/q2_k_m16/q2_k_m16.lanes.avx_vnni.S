/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k_m16, a block of 16 rows whose lanes are rows: q2_k_m16.lanes.avx_vnni.inc. A block does not fit 16 registers: lines are operands in memory,
 * as in the kernel, and so are the accumulators, which the step keeps on the stack.
 * Golden Cove: 384 on three ports, 128 cycles, 1.00 per output vector. Zen 5: 388 on four, since a conversion of halves is two, 0.76, and 157
 * loads of which it has two a cycle, 0.61.
 * 592 uops issued: 384 of arithmetic, 145 loads, 14 stores, 35 registers zeroed, 14 of loops and addresses.
 *
 *   ymm0-3 accumulators   rcx block   rdx codes   rsi activations   eax halves of it   the others: the .inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       4
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     1344
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define BLOCK  rcx
#define CODES  rdx
#define QUANTS rsi
#define TIMES  eax
#include "micro/formats/q2_k_m16/q2_k_m16.lanes.avx_vnni.inc"

.macro load_constants
.endm

/* where they are: the group reads them */
.macro load_weights base, offset
    lea BLOCK, [\base + \offset]
.endm

.macro fetch number
.endm

.macro next_half
.endm

.macro group
    group_of
.endm

    sequence_functions
#else
#include "micro/families/blocks/blocks.h"
#include "micro/formats/q2_k/q2_k_operand.h"

enum { ROWS = 16, DMIN = 32, GROUPS = 64, CODES = 320 };

/**
 * Codes of rows 0 …, of rows 8 …, then minima of these. Byte b of line l of a half of the block has bits 2 p of its column 32 p + 4 l + b.
 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q2_K_SCALE);
    for (uint32_t lane = 0; lane < ROWS / 2; lane++) {
        uint32_t row = lane + ROWS / 2 * (dot % 2);
        double d = blocks_half(w + (dot < 2 ? 0 : DMIN) + 2 * row) * scale, value = 0, magnitude = 0;
        for (uint32_t column = 0; column < 256; column++) {
            uint32_t group = column / 16, byte = w[GROUPS + group / 4 * 64 + 4 * row + group % 4], at = column % 32;
            uint32_t codes = w[CODES + column / 128 * 512 + at / 4 * 64 + 4 * row + at % 4];
            uint32_t times = dot < 2 ? (byte & 15) * (codes >> column % 128 / 32 * 2 & 3) : byte >> 4;
            value += (dot < 2 ? d : -d) * times * a[column];
            magnitude += fabs(d * times * a[column]);
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, 2 * ROWS, &state);
    blocks_draw(weights + GROUPS, 1280, a, 256, seed);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += a[16 * group + k];
        blocks_put_int16(activations + Q2_K_SUMS + 2 * Q2_K_SUM_AT(group), group % 2 ? 16 * total : total);
    }
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + Q2_K_SCALE, scale, 1);
    blocks_put_float(activations + Q2_K_MINIMA, -scale / 16, 1);
}
#endif
