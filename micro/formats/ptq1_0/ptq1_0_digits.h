/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where columns are in a block of PTQ1_0, as micro/formats/ptq1_0/format.c draws it, and in the order in which lanes of four bytes meet them.
 */
#ifndef MICRO_FORMATS_PTQ1_0_PTQ1_0_DIGITS_H
#define MICRO_FORMATS_PTQ1_0_PTQ1_0_DIGITS_H

#include <stdint.h>

/** The byte that has a column. */
static inline uint32_t ptq1_0_byte(uint32_t column)
{
    if (column < 80)
        return column % 16;
    if (column < 120)
        return 16 + (column - 80) % 8;
    return 24 + column % 2;
}

/** Which of the byte's digits it is. */
static inline uint32_t ptq1_0_digit(uint32_t column)
{
    if (column < 80)
        return column / 16;
    if (column < 120)
        return (column - 80) / 8;
    return (column - 120) / 2;
}

/**
 * Place of a column where four bytes of a row are a lane: digit n of the four bytes of lane c of six is line 5 c + n of four columns. The last two
 * bytes and 9 times them are a lane of their own, with digits 0 and 2 in line 30 and digits 1 and 3 in line 31.
 */
static inline uint32_t ptq1_0_place(uint32_t column)
{
    uint32_t byte = ptq1_0_byte(column), digit = ptq1_0_digit(column);
    if (byte < 24)
        return 4 * (5 * (byte / 4) + digit) + byte % 4;
    return 4 * (30 + digit % 2) + 2 * (digit / 2) + byte % 2;
}

#endif
