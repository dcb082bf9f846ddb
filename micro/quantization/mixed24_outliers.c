/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/mixed24_outliers.h"

#include <math.h>

#include "micro/isa/random.h"

enum { ROWS = MIXED24_ROWS, COLUMNS = MIXED24_COLUMNS, COLUMNS2 = MIXED24_GROUPS2 * MIXED24_GROUP };

/** The arrays of a panel, to be written. */
struct writer {
    uint8_t *end, *column, *value;
};

/** All zeros but the steps. */
static struct writer begin(uint8_t *panel, size_t k, uint32_t per_mille)
{
    size_t steps = k / COLUMNS * MIXED24_STEP_BYTES, place = mixed24_outliers_place(k);
    memset(panel + steps, 0, mixed24_outliers_panel_bytes(k, per_mille) - steps);
    uint8_t *column = panel + place + ROWS * sizeof(uint32_t);
    return (struct writer){panel + place, column, column + mixed24_outliers_room(k, per_mille) * sizeof(uint16_t)};
}

static void put_entry(const struct writer *writer, size_t i, size_t column, float value)
{
    uint16_t number = (uint16_t)column, half = half_from_float(value);
    memcpy(writer->column + i * sizeof number, &number, sizeof number);
    memcpy(writer->value + i * sizeof half, &half, sizeof half);
}

/** Where each row's entries begin, and end[], from how many each has. */
static void put_ends(const struct writer *writer, const uint32_t *counts, uint32_t *first)
{
    uint32_t end = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        first[row] = end;
        end += counts[row];
        memcpy(writer->end + row * sizeof end, &end, sizeof end);
    }
}

double mixed24_outliers_weight(const uint8_t *panel, size_t k, uint32_t per_mille, uint32_t row, uint32_t column)
{
    struct mixed24_outliers outliers = mixed24_outliers_of(panel, k, per_mille);
    double w = mixed24_weight_at(panel + (size_t)(column / COLUMNS) * MIXED24_STEP_BYTES, row, column % COLUMNS);
    uint32_t low = mixed24_outliers_first(&outliers, row), high = outliers.end[row], end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (outliers.column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && outliers.column[low] == column ? w + (double)half_to_float(outliers.value[low]) : w;
}

/* ---- the largest weights of a panel ---- */

/** Bits of a magnitude: as integers they are in its order. */
static uint32_t magnitude_of(float w)
{
    return half_bits_of(fabsf(w));
}

/** Of the magnitudes in 2-bit groups that have `prefix` above their lower `shift + 8` bits, how many have which 8 bits below it. */
static void count_magnitudes(const float *w, size_t k, uint32_t prefix, uint32_t shift, size_t *counts)
{
    for (size_t i = 0; i < ROWS * k; i++) {
        uint64_t upper = magnitude_of(w[i]) >> shift;
        counts[upper & 255] += upper >> 8 == prefix && mixed24_outliers_may_be(i % k);
    }
}

/**
 * The magnitude that `count` weights have or exceed, found by 8 bits of it at a time: no memory is needed for the others.
 * @param at_limit  how many of those with that very magnitude belong to them
 */
static uint32_t find_limit(const float *w, size_t k, size_t count, size_t *at_limit)
{
    uint32_t prefix = 0;
    for (uint32_t shift = 32; shift > 0; shift -= 8) {
        size_t counts[256] = {0};
        uint32_t digit = 255;
        count_magnitudes(w, k, prefix, shift - 8, counts);
        while (digit > 0 && counts[digit] < count)
            count -= counts[digit--];
        prefix = prefix << 8 | digit;
    }
    *at_limit = count;
    return prefix;
}

/** Mark a step's weights beyond the limit, and this many at it. Adds to counts how many each row has. */
static void mark(const float *w, size_t k, uint32_t limit, size_t *at_limit, bool outlier[ROWS][COLUMNS],
                 uint32_t *counts)
{
    memset(outlier, 0, ROWS * sizeof *outlier);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < COLUMNS2; column++) {
            uint32_t magnitude = magnitude_of(w[row * k + column]);
            bool tied = magnitude == limit && *at_limit > 0 && limit > 0;
            *at_limit -= tied;
            outlier[row][column] = magnitude > limit || tied;
            counts[row] += outlier[row][column];
        }
    }
}

void mixed24_outliers_pack(const float *w, size_t k, uint32_t per_mille, uint8_t *panel)
{
    struct writer writer = begin(panel, k, per_mille);
    size_t at_limit, left;
    uint32_t limit = find_limit(w, k, mixed24_outliers_count(k, per_mille), &at_limit);
    bool outlier[ROWS][COLUMNS];
    uint32_t counts[ROWS] = {0}, next[ROWS];
    left = at_limit;
    for (size_t at = 0; at < k; at += COLUMNS)
        mark(w + at, k, limit, &left, outlier, counts);
    put_ends(&writer, counts, next);
    left = at_limit;
    for (size_t at = 0; at < k; at += COLUMNS) {
        struct mixed24_step step;
        mark(w + at, k, limit, &left, outlier, counts);
        mixed24_quantize(w + at, k, outlier[0], &step);
        mixed24_put_step(&step, panel + at / COLUMNS * MIXED24_STEP_BYTES);
        for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
            uint32_t row = i / COLUMNS, column = i % COLUMNS;
            if (outlier[row][column])
                put_entry(&writer, next[row]++, at + column,
                          (float)((double)w[row * k + at + column] - mixed24_weight(&step, row, column)));
        }
    }
}

void mixed24_outliers_fill(uint8_t *panel, size_t k, uint32_t per_mille, uint64_t *random)
{
    size_t columns2 = k / COLUMNS * COLUMNS2, count = mixed24_outliers_count(k, per_mille);
    uint32_t counts[ROWS] = {0}, first[ROWS];
    struct writer writer = begin(panel, k, per_mille);
    for (size_t at = 0; at < k; at += COLUMNS)
        mixed24_fill_step(panel + at / COLUMNS * MIXED24_STEP_BYTES, random);
    for (size_t i = 0; i < count; i++)
        counts[random_bits(random) % ROWS]++;
    put_ends(&writer, counts, first);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < counts[row]; i++) { /* one in each of as many equal parts of the row */
            size_t least = i * columns2 / counts[row], next = (i + 1) * columns2 / counts[row];
            size_t place = least + random_bits(random) % (next - least);
            put_entry(&writer, first[row] + i, place / COLUMNS2 * COLUMNS + place % COLUMNS2, random_float(random) / 8);
        }
    }
}
