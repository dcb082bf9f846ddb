/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of lanes of q4_k_m16 and q5_k_m16: x86_64/k_quant_m16.lanes.avx512_vnni.inc draws half a block of 16 rows.
 */
#ifndef MICRO_SEQUENCES_K_QUANT_LANES_H
#define MICRO_SEQUENCES_K_QUANT_LANES_H

#include "micro/sequences/blocks.h"

/** The code of column c of group 4 to 7 of a row. */
static inline uint32_t k_quant_lane_code(const uint8_t *w, uint32_t lane, uint32_t group, uint32_t c)
{
    uint32_t at = 4 * lane + c % 4;
    uint32_t code = (uint32_t)w[LANES_CODES + 64 * ((group / 2 - 2) * 8 + c / 4) + at] >> group % 2 * 4 & 15;
#if K_QUANT_BITS == 5
    code |= ((uint32_t)w[LANES_HIGH + 64 * (c / 4 % 4) + at] >> group & 1) << 4;
#endif
    return code;
}

/** Dot product 0 adds what codes and scales are, 1 what the minima are. */
static inline void k_quant_lanes_refer(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + LANES_SCALE);
    for (uint32_t lane = 0; lane < 16; lane++) {
        const uint8_t *words = w + LANES_WORDS + 4 * lane, *third = w + LANES_WORDS + 64 + 4 * (lane % 8);
        double half = blocks_half(w + 2 * lane) * scale, value = 0, magnitude = 0;
        for (uint32_t column = 128; column < 256; column++) {
            uint32_t group = column / 32, low = third[group - 4];
            uint32_t step = (low & 15) | (uint32_t)words[group - 4] >> 6 << 4;
            uint32_t minimum = low >> 4 | (uint32_t)words[group - 4] >> 6 << 4;
            double weight = dot ? -half * minimum : half * step * k_quant_lane_code(w, lane, group, column % 32);
            value += weight * a[column];
            magnitude += fabs(weight * a[column]);
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

static inline void k_quant_lanes_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, 16, &state);
    blocks_draw(weights + LANES_WORDS, LANES_CODES + 1024 - LANES_WORDS, a, 256, seed);
    for (uint32_t group = 0; group < 8; group++) {
        int32_t total = 0;
        for (uint32_t i = 0; i < 32; i++)
            total += a[32 * group + i];
        blocks_put_int16(activations + LANES_SUMS + 2 * group, total);
    }
    double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
    blocks_put_float(activations + LANES_SCALE, scale, 1);
    blocks_put_float(activations + LANES_MINIMA, -scale, 1);
}

#endif
