/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_outliers.h. An outlier counts as a weight of 0 in the fit: the range of a group includes 0 anyway.
 */
#include "micro/quantization/mixed_outliers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "micro/quantization/mixed24.h"
#include "micro/quantization/mixed_choice.h"

enum { ROUNDS = 4, ROWS = MIXED24_ROWS, UNIT_MOST = ROWS * MIXED_GROUP };

/** Weights that share a scale: a row of a 2-bit group, all 16 of a 4-bit group. */
struct unit {
    size_t row, rows, column;
    uint32_t bits;
};

/** Those weights, outliers as 0, and what an error in each costs. */
struct values {
    size_t count;
    float w[UNIT_MOST];
    double importance[UNIT_MOST];
};

struct candidate {
    double gain;
    size_t at; /* row * k + column */
};

struct search {
    const float *w;
    size_t k;
    const double *importance;
    bool *outlier;
};

static void gather(const struct search *search, const struct unit *unit, struct values *values)
{
    values->count = 0;
    for (size_t r = unit->row; r < unit->row + unit->rows; r++) {
        for (size_t c = unit->column; c < unit->column + MIXED_GROUP; c++) {
            const size_t at = r * search->k + c;
            values->w[values->count] = search->outlier[at] ? 0 : search->w[at];
            values->importance[values->count++] = search->importance[c];
        }
    }
}

/** @param worst  the weight with the largest loss of its own */
static double loss_of(const struct values *values, uint32_t bits, size_t *worst)
{
    float scale;
    int32_t zero;
    double sum = 0, most = -1;
    mixed24_range(values->w, values->count, bits, &scale, &zero);
    for (size_t i = 0; i < values->count; i++) {
        const double w = (double)values->w[i];
        const double q = (double)scale * ((int32_t)mixed24_code(values->w[i], (double)scale, zero, bits) - zero);
        const double loss = values->importance[i] * (w - q) * (w - q);
        sum += loss;
        if (loss > most) {
            most = loss;
            *worst = i;
        }
    }
    return sum;
}

/** The weight of a unit that takes most off its loss: its least, its largest, or the one with the largest loss. */
static struct candidate best_of(const struct search *search, const struct unit *unit)
{
    struct values values;
    size_t tried[3] = {0}, ignored;
    struct candidate best = {0, 0};
    gather(search, unit, &values);
    const double loss = loss_of(&values, unit->bits, &tried[2]);
    for (size_t i = 0; i < values.count; i++) {
        tried[0] = values.w[i] < values.w[tried[0]] ? i : tried[0];
        tried[1] = values.w[i] > values.w[tried[1]] ? i : tried[1];
    }
    for (size_t t = 0; t < 3; t++) {
        const float kept = values.w[tried[t]];
        values.w[tried[t]] = 0;
        const double gain = loss - loss_of(&values, unit->bits, &ignored);
        const size_t row = unit->row + tried[t] / MIXED_GROUP, column = unit->column + tried[t] % MIXED_GROUP;
        values.w[tried[t]] = kept;
        if (gain > best.gain)
            best = (struct candidate){gain, row * search->k + column};
    }
    return best;
}

/** Larger gains first; of equal ones the first weight. */
static int by_gain(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static size_t find_gains(const struct search *search, size_t rows, const uint8_t *kind, bool anywhere,
                         struct candidate *candidate)
{
    size_t found = 0;
    for (size_t c = 0; c < search->k; c += MIXED_GROUP) {
        const bool four = kind[c / MIXED_GROUP] == MIXED_BITS4;
        if (four && !anywhere)
            continue;
        for (size_t r = 0; r < rows; r += four ? rows : 1) {
            const struct unit unit = {r, four ? rows : 1, c, four ? 4 : 2};
            candidate[found] = best_of(search, &unit);
            found += candidate[found].gain > 0;
        }
    }
    return found;
}

/** Of groups in 2 bits by magnitude alone, of all with their importance. */
static size_t find_largest(const struct search *search, size_t rows, const uint8_t *kind, bool anywhere,
                           struct candidate *candidate)
{
    size_t found = 0;
    for (size_t i = 0; i < rows * search->k; i++) {
        const size_t column = i % search->k;
        if (!anywhere && kind[column / MIXED_GROUP] == MIXED_BITS4)
            continue;
        const double ratio = (double)search->w[i] * (anywhere ? search->importance[column] : 1);
        candidate[found] = (struct candidate){ratio * ratio, i};
        found += ratio != 0;
    }
    return found;
}

/** The best `count` of those found. @return how many */
static size_t mark_best(const struct search *search, struct candidate *candidate, size_t found, size_t count)
{
    qsort(candidate, found, sizeof *candidate, by_gain);
    for (size_t i = 0; i < found && i < count; i++)
        search->outlier[candidate[i].at] = true;
    return found < count ? found : count;
}

long mixed_outliers_mark(const float *w, size_t rows, size_t k, const uint8_t *kind, const double *importance,
                         enum mixed_outlier_choice choice, size_t count, bool *outlier)
{
    const struct search search = {w, k, importance, outlier};
    struct candidate *candidate = malloc(rows * k * sizeof *candidate + 1);
    size_t marked = 0, found = 1;
    if (!candidate)
        return -ENOMEM;
    memset(outlier, 0, rows * k * sizeof *outlier);
    const bool largest = choice == MIXED_OUTLIERS_LARGEST || choice == MIXED_OUTLIERS_LARGEST_OF_2_BITS;
    if (largest) {
        found = find_largest(&search, rows, kind, choice == MIXED_OUTLIERS_LARGEST, candidate);
        marked = mark_best(&search, candidate, found, count);
    }
    while (!largest && marked < count && found) {
        const size_t left = count - marked, share = (count + ROUNDS - 1) / ROUNDS;
        found = find_gains(&search, rows, kind, choice == MIXED_OUTLIERS_ANYWHERE, candidate);
        marked += mark_best(&search, candidate, found, left < share ? left : share);
    }
    free(candidate);
    return (long)marked;
}
