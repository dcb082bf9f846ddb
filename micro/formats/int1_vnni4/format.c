/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights in the conventional VNNI4 layout of [envelope, III-D, Fig. 2], 32 rows a panel.
 *
 *     step, 64 bytes = [k4 x 4] [m8 x 4] 32-bit words of [m8][k4] bits
 *
 *     bit of a word    0   1   2   3   4  ...  31
 *     row in m8        0   0   0   0   1  ...   7
 *     column           0   1   2   3   0  ...   3
 *
 * A bit of 0 is the weight +1, a bit of 1 is -1; the kernels expand it to u = w + 1, 2 or 0.
 */
#include "micro/kernel.h"

static uint8_t *byte_of(uint8_t *panel, uint32_t row, uint32_t column, uint32_t *bit)
{
    uint32_t word = column / 4 * 4 + row / 8, position = row % 8 * 4 + column % 4;
    *bit = position % 8;
    return panel + (size_t)word * 4 + position / 8;
}

#define BIT_OF_MINUS_1 1
#include "micro/families/planes/code_bits.h"
