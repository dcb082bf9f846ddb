/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of q2_k.mask on aarch64: a block of one row of Q2_K. A lane of n has the weights that the sequence
 * says, and the minima of groups l, l + n, ….
 */
#ifndef MICRO_SEQUENCES_Q2_K_ROW_H
#define MICRO_SEQUENCES_Q2_K_ROW_H

#include "micro/sequences/block256.h"

static const struct block256 q2_k_row = {1, 4, 2};

/** lane_of: of the sums in `lanes`, the one that column k of a block is added to. */
static void q2_k_row_refer(const struct sequence_data *data, uint32_t lanes, uint32_t (*lane_of)(uint32_t k), void *sum,
                           double *magnitudes)
{
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + BLOCK256_SCALE);
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t group = k / 16, byte = block256_byte(q2_k_row, w, 0, group);
        uint32_t code = blocks_code(w, block256_position(q2_k_row, 0, group, k % 16), 2);
        int32_t a = ((const int8_t *)data->activations)[k];
        double product = scale * block256_half(q2_k_row, w, 0, 0) * (byte & 15) * code * a;
        double minimum = scale * block256_half(q2_k_row, w, 0, 1) * (byte >> 4) * a;
        blocks_add(sum, magnitudes, lane_of(k), product, fabs(product));
        blocks_add(sum, magnitudes, group % lanes, -minimum, fabs(minimum));
    }
}

static void q2_k_row_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(q2_k_row, weights, activations, seed);
    for (uint32_t group = 0; group < 16; group++)
        blocks_put_int16(activations + BLOCK256_OWN + 2 * group, block256_sum(activations, group));
}

#endif
