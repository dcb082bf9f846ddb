/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales and minima of Q4_K and Q5_K: 6 bits each of 8 groups of 32 columns, in the 12 bytes after a block's d and dmin. Those of
 * groups 0 … 3 are bits 5 … 0 of a byte each, and bits 7 and 6 of it are the upper bits of group 4 … 7's.
 *
 *     byte 4 + g (g < 4)         bits 7 6                          5 … 0
 *                                scale of group 4 + g, 5 and 4     scale of group g
 *     byte 8 + g                 minimum of group 4 + g, 5 and 4   minimum of group g
 *     byte 12 + g                bits 7 … 4                        3 … 0
 *                                minimum of group 4 + g, 3 … 0     scale of group 4 + g, 3 … 0
 *
 * Read by block_byte(), so of rows one by one or interleaved as block_layout.h says.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_SCALES_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_SCALES_H

#include "micro/families/blocks/block_layout.h"

enum { K_QUANT_GROUP = 32, K_QUANT_GROUPS = 8, K_QUANT_DMIN = 2, K_QUANT_MOST = 63 };

static inline uint32_t k_quant_scale(const uint8_t *block, uint32_t row, uint32_t group)
{
    if (group < 4)
        return block_byte(block, row, 4 + group) & 63u;
    return (block_byte(block, row, 8 + group) & 15u) | (uint32_t)block_byte(block, row, group) >> 6 << 4;
}

static inline uint32_t k_quant_minimum(const uint8_t *block, uint32_t row, uint32_t group)
{
    if (group < 4)
        return block_byte(block, row, 8 + group) & 63u;
    return (uint32_t)block_byte(block, row, 8 + group) >> 4 | (uint32_t)block_byte(block, row, 4 + group) >> 6 << 4;
}

/** Into a row's block whose 12 bytes were zeros. */
static inline void k_quant_put(uint8_t *block, uint32_t group, uint32_t scale, uint32_t minimum)
{
    if (group < 4) {
        block[4 + group] |= (uint8_t)scale;
        block[8 + group] |= (uint8_t)minimum;
        return;
    }
    block[8 + group] |= (uint8_t)((scale & 15) | (minimum & 15) << 4);
    block[group] |= (uint8_t)(scale >> 4 << 6);
    block[4 + group] |= (uint8_t)(minimum >> 4 << 6);
}

#endif
