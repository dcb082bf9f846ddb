/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of sixteen rows of Q4_K and Q5_K taken apart, lanes are rows: for k_quant_lanes.c, which multiplies what comes, and k_quant_gemm.c,
 * which stores it. The including file includes, before this, k_quant_lanes_512.h or k_quant_lanes_256.h.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_PANEL_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_PANEL_H

#include <stdbool.h>

#include "micro/families/blocks/block_layout.h"

enum {
    K_QUANT_ROWS = 16,
    LINE = 4 * K_QUANT_ROWS,
    PANEL_DMIN = 2 * K_QUANT_ROWS,
    PANEL_SCALES = 4 * K_QUANT_ROWS,
    PANEL_HIGH = PANEL_SCALES + 12 * K_QUANT_ROWS, /* of Q5_K */
    PANEL_CODES = PANEL_HIGH + (K_QUANT_BITS == 5 ? 32 * K_QUANT_ROWS : 0)
};

/** Bytes of scales and minima of groups 0 … 3 and 4 … 7 of each row's lane. */
struct lanes_scales {
    lanes_ints scale[2], minimum[2];
};

ROWS_INLINE struct lanes_scales unpack_scales(const uint8_t *at)
{
    const lanes_ints six = lanes_bytes(0x3f), four = lanes_bytes(0x0f), upper = lanes_bytes(0x30);
    lanes_ints first = lanes_load(at), second = lanes_load(at + LINE), third = lanes_load(at + 2 * LINE);
    return (struct lanes_scales){
        .scale = {lanes_and(first, six), lanes_or_and(lanes_and(third, four), lanes_down(first, 2), upper)},
        .minimum = {lanes_and(second, six),
                    lanes_or_and(lanes_and(lanes_down(third, 4), four), lanes_down(second, 2), upper)}};
}

/** Four columns of a group: of the low nibbles of its line of codes, or of the high ones, where they are if `apart`. */
ROWS_INLINE lanes_ints codes_of(const uint8_t *panel, size_t line, lanes_ints codes, int group, bool apart)
{
    const lanes_ints nibble = lanes_bytes(0x0f);
    if (apart && group % 2)
        return lanes_and(codes, lanes_bytes(0xf0));
    codes = lanes_and(group % 2 ? lanes_down(codes, 4) : codes, nibble);
    if (K_QUANT_BITS == 4)
        return codes;
    lanes_ints high = lanes_load(panel + PANEL_HIGH + LINE * line);
    high = group < 4 ? lanes_up(high, 4 - group) : group > 4 ? lanes_down(high, group - 4) : high;
    return lanes_or_and(codes, high, lanes_bytes(0x10));
}

#endif
