/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/mixed24_rows.h"

#include <string.h>

#include "micro/quantization/mixed24_rows_layout.h"

/** The code of a column of one row and step: a dword, and the bit it begins at. */
struct place {
    size_t dword;
    uint32_t shift, mask;
};

/** Byte of the dword of a row's piece, which four of them make, or of its half of a 4-bit group. */
static struct place place_of(size_t steps, size_t i, uint32_t row, uint32_t column)
{
    uint32_t group = column / MIXED24_GROUP, in_group = column % MIXED24_GROUP;
    size_t piece = MIXED24_ROWS_PIECES(steps) + MIXED24_ROWS_PIECE_BYTES * (steps * row + i);
    size_t half = MIXED24_ROWS_HALVES(steps) + MIXED24_ROWS_HALF_BYTES * (steps * row + i);
    if (group < MIXED24_GROUPS2)
        return (struct place){piece + 4 * group, 2 * in_group, 3};
    return (struct place){in_group < 8 ? piece + 12 : half, 4 * (in_group % 8), 15};
}

static uint32_t code_at(const uint8_t *panel, const struct place *place)
{
    uint32_t dword;
    memcpy(&dword, panel + place->dword, sizeof dword);
    return dword >> place->shift & place->mask;
}

static size_t word_place(size_t steps, size_t i, uint32_t row)
{
    return MIXED24_ROWS_WORDS(steps) + sizeof(uint16_t) * (steps * row + i);
}

void mixed24_rows_put_step(const struct mixed24_step *step, size_t i, size_t k, uint8_t *panel)
{
    size_t steps = k / MIXED24_COLUMNS;
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        uint16_t word = mixed24_word(step, row);
        memcpy(panel + word_place(steps, i, row), &word, sizeof word);
        memset(panel + place_of(steps, i, row, 0).dword, 0, MIXED24_ROWS_PIECE_BYTES);
        memset(panel + place_of(steps, i, row, MIXED24_COLUMNS - 1).dword, 0, MIXED24_ROWS_HALF_BYTES);
        for (uint32_t column = 0; column < MIXED24_COLUMNS; column++) {
            struct place place = place_of(steps, i, row, column);
            uint32_t dword;
            memcpy(&dword, panel + place.dword, sizeof dword);
            dword |= (step->code[row][column] & place.mask) << place.shift;
            memcpy(panel + place.dword, &dword, sizeof dword);
        }
    }
    memcpy(panel + MIXED24_ROWS_SCALE2(steps) + i * sizeof step->scale2, step->scale2, sizeof step->scale2);
    memcpy(panel + MIXED24_ROWS_ZERO2(steps) + i * sizeof step->zero2, step->zero2, sizeof step->zero2);
}

double mixed24_rows_weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    size_t steps = k / MIXED24_COLUMNS, i = column / MIXED24_COLUMNS;
    uint32_t group = column % MIXED24_COLUMNS / MIXED24_GROUP;
    struct place place = place_of(steps, i, row, column % MIXED24_COLUMNS);
    uint16_t word, scale2;
    memcpy(&word, panel + word_place(steps, i, row), sizeof word);
    memcpy(&scale2, panel + MIXED24_ROWS_SCALE2(steps) + sizeof scale2 * (MIXED24_GROUPS * i + group), sizeof scale2);
    int8_t zero2 = (int8_t)panel[MIXED24_ROWS_ZERO2(steps) + MIXED24_GROUPS * i + group];
    return mixed24_weight_of(code_at(panel, &place), group, word, scale2, zero2);
}
