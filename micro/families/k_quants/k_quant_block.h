/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns of one row of Q4_K, 144 bytes, or of Q5_K, 176, for block_format.h; their format.c draw it. Their
 * kernels.def define K_QUANT_BITS, of a code: 4 or 5.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_BLOCK_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_BLOCK_H

#include "micro/families/blocks/block_range.h"
#include "micro/families/k_quants/k_quant_scales.h"
#include "micro/isa/random.h"

enum {
    ROW_BLOCK_COLUMNS = 256,
    ROW_CODES_MOST = (1 << K_QUANT_BITS) - 1,
    ROW_HIGH = 16, /* bit 4 of codes, of Q5_K alone */
    ROW_CODES = K_QUANT_BITS == 5 ? ROW_HIGH + 32 : 16,
    ROW_BLOCK_BYTES = ROW_CODES + 128
};

static void row_put_codes(const float *w, const uint32_t *scale, const uint32_t *minimum, uint8_t *block)
{
    float d = half_float_at(block), dmin = half_float_at(block + K_QUANT_DMIN);
    for (size_t i = 0; i < ROW_BLOCK_COLUMNS; i++) {
        size_t group = i / K_QUANT_GROUP;
        uint32_t code = block_nearest(w[i] + dmin * (float)minimum[group], d * (float)scale[group], ROW_CODES_MOST);
        block[ROW_CODES + i / 64 * 32 + i % 32] |= (uint8_t)((code & 15) << group % 2 * 4);
        if (K_QUANT_BITS == 5)
            block[ROW_HIGH + i % 32] |= (uint8_t)(code >> 4 << group);
    }
}

/** The ranges of the groups, to the nearest of 63 parts of the largest; then each weight to the nearest code. */
static void block_pack(const float *w, uint8_t *block)
{
    float step[K_QUANT_GROUPS], minimum[K_QUANT_GROUPS], step_most = 0, minimum_most = 0;
    uint32_t scales[K_QUANT_GROUPS], minima[K_QUANT_GROUPS];
    for (size_t g = 0; g < K_QUANT_GROUPS; g++) {
        block_range(w + g * K_QUANT_GROUP, K_QUANT_GROUP, ROW_CODES_MOST, &step[g], &minimum[g]);
        step_most = fmaxf(step_most, step[g]);
        minimum_most = fmaxf(minimum_most, minimum[g]);
    }
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block, step_most / K_QUANT_MOST);
    block_put_half(block + K_QUANT_DMIN, minimum_most / K_QUANT_MOST);
    for (uint32_t g = 0; g < K_QUANT_GROUPS; g++) {
        scales[g] = block_nearest(step[g], step_most / K_QUANT_MOST, K_QUANT_MOST);
        minima[g] = block_nearest(minimum[g], minimum_most / K_QUANT_MOST, K_QUANT_MOST);
        k_quant_put(block, g, scales[g], minima[g]);
    }
    row_put_codes(w, scales, minima, block);
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t group = column / K_QUANT_GROUP;
    uint32_t code = block_byte(block, row, ROW_CODES + column / 64 * 32 + column % 32) >> group % 2 * 4 & 15;
    if (K_QUANT_BITS == 5)
        code |= ((uint32_t)block_byte(block, row, ROW_HIGH + column % 32) >> group & 1) << 4;
    return block_half(block, row, 0) * (k_quant_scale(block, row, group) * code) -
           block_half(block, row, K_QUANT_DMIN) * k_quant_minimum(block, row, group);
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    block_put_half(block, random_float(random) / K_QUANT_MOST);
    block_put_half(block + K_QUANT_DMIN, random_float(random) / K_QUANT_MOST);
    random_bytes(block + 4, ROW_BLOCK_BYTES - 4, random);
}

#endif
