/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMATS_Q2_K_Q2_K_INTERLEAVED_H
#define MICRO_FORMATS_Q2_K_Q2_K_INTERLEAVED_H

#include "micro/families/blocks/block256.h"

/**
 * Rows of q2_k interleaved, a lane a row (block256.h). After the activations, from byte BLOCK256_OWN, are the sums of the 16 groups
 * as 128 h + l, 16 l and then 16 h as bytes, the activations' scale, and minus that scale.
 */
static inline void q2_k_interleaved_fill(struct block256 rows, uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
    uint8_t *own = activations + BLOCK256_OWN;
    for (uint32_t group = 0; group < 16; group++) {
        int32_t sum = block256_sum(activations, group), high = (sum + 64) >> 7;
        own[group] = (uint8_t)(sum - 128 * high);
        own[16 + group] = (uint8_t)high;
    }
    double scale = blocks_float(activations + BLOCK256_SCALE);
    blocks_put_float(own + 32, scale, 1);
    blocks_put_float(own + 36, -scale, 1);
}

#endif
