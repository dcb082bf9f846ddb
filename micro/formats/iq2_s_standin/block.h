/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 256 columns of one row of IQ2_S with a stand-in grid, 82 bytes, for block_format.h; format.c draws it.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_BLOCK_H
#define MICRO_FORMATS_IQ2_S_STANDIN_BLOCK_H

#include <math.h>

#include "micro/families/blocks/block_layout.h"
#include "micro/formats/iq2_s_standin/grid.h"
#include "micro/isa/random.h"

enum { ROW_BLOCK_COLUMNS = 256, ROW_BLOCK_BYTES = BLOCK_BYTES, ROW_GROUP = 16, ROW_GROUPS = 16, ROW_VECTOR = 8 };

/** Number of a vector of the grid, or -1 if it is not in it. */
static int32_t row_number(uint64_t vector)
{
    int32_t first = 0, end = 1024;
    while (end - first > 1) {
        int32_t middle = (first + end) / 2;
        if (iq2_s_before(vector, iq2_s_grid[middle]))
            end = middle;
        else
            first = middle;
    }
    return iq2_s_grid[first] == vector ? first : -1;
}

/** The next smaller magnitude: 8 of 25, 25 of 43. */
static int32_t row_lower(int32_t magnitude)
{
    return magnitude == 43 ? 25 : 8;
}

/** Of the magnitudes above 8 the one whose lowering costs least in squared error; of a vector that has one. */
static uint32_t row_cheapest(uint64_t vector, const float *w, float inverse)
{
    uint32_t cheapest = ROW_VECTOR;
    float least = 0;
    for (uint32_t j = 0; j < ROW_VECTOR; j++) {
        int32_t here = iq2_s_magnitude(vector, j), lower = row_lower(here);
        float above = fabsf(w[j]) * inverse - (float)here,
              cost = (float)(here - lower) * (2 * above + (float)(here - lower));
        if (here > 8 && (cheapest == ROW_VECTOR || cost < least)) {
            cheapest = j;
            least = cost;
        }
    }
    return cheapest;
}

/** A vector of the grid near eight weights: each to its nearest magnitude, then lowered where that costs least until it is in the grid. */
static uint32_t row_nearest(const float *w, float inverse)
{
    uint64_t vector = 0;
    int32_t number;
    for (uint32_t j = 0; j < ROW_VECTOR; j++) {
        float magnitude = fabsf(w[j]) * inverse;
        vector |= (uint64_t)(magnitude > 34 ? 43 : magnitude > 16.5f ? 25 : 8) << 8 * j;
    }
    while ((number = row_number(vector)) < 0) {
        uint32_t j = row_cheapest(vector, w, inverse); /* the shortest vector is in the grid */
        int32_t here = iq2_s_magnitude(vector, j);
        vector ^= (uint64_t)(here ^ row_lower(here)) << 8 * j;
    }
    return (uint32_t)number;
}

/** 16 weights at a scale: the numbers of their two vectors, and the scale that fits these best. @return squared error less sum w^2 */
static float row_fit(const float *w, float scale, uint32_t *number, float *fitted)
{
    float products = 0, squares = 0;
    for (uint32_t i = 0; i < 2; i++) {
        number[i] = row_nearest(w + ROW_VECTOR * i, 1 / scale);
        for (uint32_t j = 0; j < ROW_VECTOR; j++) {
            float magnitude = (float)iq2_s_magnitude(iq2_s_grid[number[i]], j);
            products += fabsf(w[ROW_VECTOR * i + j]) * magnitude;
            squares += magnitude * magnitude;
        }
    }
    *fitted = products / squares;
    return -products * *fitted;
}

/** The best of some scales that make the largest weight 43 or more, 0 of zeros. */
static float row_scale(const float *w)
{
    float most = 0, best = 0, least = 0, fitted;
    uint32_t number[2];
    for (size_t i = 0; i < ROW_GROUP; i++)
        most = fmaxf(most, fabsf(w[i]));
    for (int trial = 0; trial < 4 && most > 0; trial++) {
        float error = row_fit(w, most / (43 + 6 * (float)trial), number, &fitted);
        best = error < least ? fitted : best;
        least = fminf(error, least);
    }
    return best;
}

static void row_put_vector(uint8_t *block, uint32_t v, uint32_t number, const float *w)
{
    block[BLOCK_INDICES + v] = (uint8_t)number;
    block[BLOCK_UPPER + v / 4] |= (uint8_t)(number >> 8 << v % 4 * 2);
    for (uint32_t j = 0; j < ROW_VECTOR; j++)
        block[BLOCK_SIGNS + v] |= (uint8_t)((w[j] < 0) << j);
}

/** Scales of groups as multiples of d / 4, 1/2 to 15 1/2, of which the largest is the last; then vectors anew for these. */
static void block_pack(const float *w, uint8_t *block)
{
    float scale[ROW_GROUPS], most = 0, fitted;
    for (size_t g = 0; g < ROW_GROUPS; g++) {
        scale[g] = row_scale(w + g * ROW_GROUP);
        most = fmaxf(most, scale[g]);
    }
    memset(block, 0, ROW_BLOCK_BYTES);
    block_put_half(block, most / (15.5f * 0.25f));
    float unit = half_float_at(block) * 0.25f;
    for (size_t g = 0; g < ROW_GROUPS && unit > 0; g++) {
        uint32_t nibble = (uint32_t)fmaxf(0, fminf(15, roundf(scale[g] / unit - 0.5f))), number[2];
        row_fit(w + g * ROW_GROUP, unit * ((float)nibble + 0.5f), number, &fitted);
        block[BLOCK_SCALES + g / 2] |= (uint8_t)(nibble << g % 2 * 4);
        for (uint32_t i = 0; i < 2; i++)
            row_put_vector(block, (uint32_t)(2 * g) + i, number[i], w + g * ROW_GROUP + ROW_VECTOR * i);
    }
}

static double block_weight(const uint8_t *block, uint32_t row, uint32_t column)
{
    uint32_t v = column / ROW_VECTOR, j = column % ROW_VECTOR;
    uint32_t number = block_byte(block, row, BLOCK_INDICES + v);
    number |= ((uint32_t)block_byte(block, row, BLOCK_UPPER + v / 4) >> v % 4 * 2 & 3) << 8;
    uint32_t nibble = (uint32_t)block_byte(block, row, BLOCK_SCALES + column / 32) >> column % 32 / ROW_GROUP * 4 & 15;
    double magnitude = block_half(block, row, 0) * (nibble + 0.5) / 4 * iq2_s_magnitude(iq2_s_grid[number], j);
    return block_byte(block, row, BLOCK_SIGNS + v) >> j & 1 ? -magnitude : magnitude;
}

static void block_fill(uint8_t *block, uint64_t *random)
{
    random_bytes(block, ROW_BLOCK_BYTES, random);
    block_put_half(block, random_float(random) / 64);
}

#endif
