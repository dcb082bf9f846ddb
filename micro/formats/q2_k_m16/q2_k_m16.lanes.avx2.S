/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k_m16, a quarter of a block of 8 rows whose lanes are rows: q2_k_m16.lanes.avx2.inc.
 * Golden Cove: 37 on p01, 6 on p15, 2 on p5, 34 anywhere: 79 on three ports, 1.65 cycles per output vector. Zen 5: 79 on four, 1.23.
 * 110 uops issued: 79 of arithmetic, 19 loads, 12 copies.
 *
 *   ymm0 accumulator   ymm1-4 codes   ymm5 bytes of groups   xmm6 d   the others: the .inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     168 /* a quarter of a block, and four halves for its d and dmin; one line of groups for two */
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/formats/q2_k_m16/q2_k_m16.lanes.avx2.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vpbroadcastq xmm6, qword ptr [\base + \offset]
    vmovdqu ymm5, [\base + \offset + 8]
    vmovdqu ymm1, [\base + \offset + 40]
    vmovdqu ymm2, [\base + \offset + 72]
    vmovdqu ymm3, [\base + \offset + 104]
    vmovdqu ymm4, [\base + \offset + 136]
.endm

.macro copy_codes to, from
    vmovdqa ymm\to, ymm\from
.endm

.macro load_codes to, half, line
    copy_codes \to, %(1 + \line)
.endm

.macro load_groups to, half, high
    vmovdqa ymm\to, ymm5
.endm

.macro load_d to, half
    vcvtph2ps ymm\to, xmm6
.endm

.macro load_dmin to, half
    vcvtph2ps ymm\to, xmm6
.endm

.macro sum_of half
.endm

.macro fetch number
.endm

.macro group
    group_of 0, 0, rsi, <rsi + Q2_K_SUMS>, rsi
.endm

    sequence_functions
#else
#include "micro/families/blocks/blocks.h"
#include "micro/formats/q2_k/q2_k_operand.h"

/* Four halves of d, which lanes take by turns and which serve as dmin, too; a lane of four bytes a row, of which bytes 0 and 2 are scale and minimum
   of groups 0 and 2, and again of 4 and 6; four lines of codes, of which byte b of line l has at bits 2 p column 32 p + 4 l + b. */
enum { ROWS = 8, GROUPS = 8, CODES = 40 };

/** One dot product: codes times scales, less minima. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q2_K_SCALE);
    (void)dot;
    for (uint32_t lane = 0; lane < ROWS; lane++) {
        double d = blocks_half(w + 2 * (lane % 4)), value = 0, magnitude = 0;
        for (uint32_t p = 0; p < 4; p++) {
            uint32_t byte = w[GROUPS + 4 * lane + p % 2 * 2];
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t code = (uint32_t)w[CODES + k / 4 * 4 * ROWS + 4 * lane + k % 4] >> 2 * p & 3;
                double by = d * scale * a[32 * p + k], minimum = byte >> 4;
                value += ((byte & 15) * code - minimum) * by;
                magnitude += ((byte & 15) * code + minimum) * fabs(by);
            }
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, 4, &state);
    blocks_draw(weights + GROUPS, 160, a, 256, seed);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += a[16 * group + k];
        blocks_put_int16(activations + Q2_K_SUMS + 2 * Q2_K_SUM_AT(group), total);
    }
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + Q2_K_SCALE, scale, 1);
    blocks_put_float(activations + Q2_K_MINIMA, -scale, 1);
}
#endif
