/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C halves of q2_k with 256 bits, a block of one row as it is stored: two dot products, of codes and of minima. Activations are those of block256.h,
 * then 16 sums of groups, words, their scale for codes, its negative for minima, and two zeros, floats.
 */
#ifndef MICRO_SEQUENCES_Q2_K_ROW_256_H
#define MICRO_SEQUENCES_Q2_K_ROW_256_H

#include "micro/sequences/block256.h"

static const struct block256 q2_k_row = {1, 8, 2};

/* dot product 0: lane l has four weights of each 32; 1: lane l has the minima of groups 2 l and 2 l + 1 */
static void q2_k_row_256_refer(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + BLOCK256_SCALE) * block256_half(q2_k_row, w, 0, dot);
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t group = k / 16, lane = dot == 0 ? k % 32 / 4 : k / 32, byte = block256_byte(q2_k_row, w, 0, group);
        uint32_t code = blocks_code(w, block256_position(q2_k_row, 0, group, k % 16), 2);
        int32_t weight = dot == 0 ? (int32_t)((byte & 15) * code) : -(int32_t)(byte >> 4);
        double value = scale * weight * ((const int8_t *)data->activations)[k];
        blocks_add(sum, magnitudes, lane, value, fabs(value));
    }
}

/** times: how many times themselves sums of codes are, which their scale makes good. */
static void q2_k_row_256_fill(uint8_t *weights, uint8_t *activations, uint64_t seed, double times)
{
    block256_fill(q2_k_row, weights, activations, seed);
    double scale = blocks_float(activations + BLOCK256_SCALE);
    for (uint32_t group = 0; group < 16; group++)
        blocks_put_int16(activations + BLOCK256_OWN + 2 * group, block256_sum(activations, group));
    blocks_put_float(activations + BLOCK256_OWN + 32, scale / times, 1);
    blocks_put_float(activations + BLOCK256_OWN + 36, -scale, 1);
    blocks_put_float(activations + BLOCK256_OWN + 40, 0, 2);
}

#endif
