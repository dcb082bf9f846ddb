/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/resample.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/rank_sum.h"
#include "results/statistics/signed_rank.h"
#include "results/statistics/stats.h"

enum { FLOOR_DRAWS = 400, MEAN_DRAWS = 2000 };

uint64_t resample_next(struct resample_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t resample_below(struct resample_random *random, size_t below)
{
    return (size_t)((resample_next(random) >> 32) * below >> 32);
}

/* ---- the floor ---- */

/** 95th percentile of the absolute values, which are sorted by the way. */
static double percentile_95(double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        value[i] = fabs(value[i]);
    stats_sort(value, count);
    return value[(95 * count + 99) / 100 - 1];
}

double resample_paired_floor(const double *difference, size_t n, uint64_t seed)
{
    if (n < 2)
        return NAN;
    struct resample_random random = {seed};
    double center = signed_rank_estimate(difference, n), estimate[FLOOR_DRAWS];
    double *drawn = need(n, sizeof *drawn);
    for (size_t draw = 0; drawn && draw < FLOOR_DRAWS; draw++) {
        for (size_t i = 0; i < n; i++) {
            double deviation = difference[resample_below(&random, n)] - center;
            drawn[i] = resample_next(&random) >> 63 ? deviation : -deviation;
        }
        estimate[draw] = signed_rank_estimate(drawn, n);
    }
    double floor = drawn ? percentile_95(estimate, FLOOR_DRAWS) : NAN;
    free(drawn);
    return floor;
}

static void draw_values(const double *value, size_t n, double less, struct resample_random *random, double *drawn)
{
    for (size_t i = 0; i < n; i++)
        drawn[i] = value[resample_below(random, n)] - less;
}

double resample_unpaired_floor(const double *base, size_t m, const double *head, size_t n, uint64_t seed)
{
    if (m < 2 || n < 2)
        return NAN;
    struct resample_random random = {seed};
    double shift = rank_sum_estimate(base, m, head, n), estimate[FLOOR_DRAWS];
    double *drawn = need(m + n, sizeof *drawn);
    for (size_t draw = 0; drawn && draw < FLOOR_DRAWS; draw++) {
        draw_values(base, m, 0, &random, drawn);
        draw_values(head, n, shift, &random, drawn + m);
        estimate[draw] = rank_sum_estimate(drawn, m, drawn + m, n);
    }
    double floor = drawn ? percentile_95(estimate, FLOOR_DRAWS) : NAN;
    free(drawn);
    return floor;
}

/* ---- the geometric mean ---- */

/** The series of one cell, deviations from its center by block: NaN where the cell lacks the block. */
static void lay_out(const double *value, const unsigned *block, size_t count, double center, size_t blocks, double *row)
{
    for (size_t b = 0; b < blocks; b++)
        row[b] = NAN;
    for (size_t i = 0; i < count; i++)
        row[block[i]] = value[i] - center;
}

/** Median of the drawn blocks that the cell has; 0 if it has none of them. */
static double drawn_median(const double *row, const size_t *drawn, size_t blocks, double *scratch)
{
    size_t count = 0;
    for (size_t b = 0; b < blocks; b++) {
        if (!isnan(row[drawn[b]]))
            scratch[count++] = row[drawn[b]];
    }
    return count ? stats_median(scratch, count) : 0;
}

struct bootstrap {
    size_t count, blocks;
    double *head, *base; /* [count][blocks] deviations */
    size_t *drawn;       /* [blocks] */
    double *scratch;     /* [blocks] */
    double *mean;        /* [MEAN_DRAWS] */
};

static void draw_blocks(struct bootstrap *bootstrap, struct resample_random *random)
{
    for (size_t b = 0; b < bootstrap->blocks; b++)
        bootstrap->drawn[b] = resample_below(random, bootstrap->blocks);
}

/** Mean over the cells of what the drawn blocks deviate. */
static double drawn_mean(struct bootstrap *bootstrap, const double *rows)
{
    double sum = 0;
    for (size_t c = 0; c < bootstrap->count; c++)
        sum += drawn_median(rows + c * bootstrap->blocks, bootstrap->drawn, bootstrap->blocks, bootstrap->scratch);
    return sum / (double)bootstrap->count;
}

static void fill(struct bootstrap *bootstrap, const struct resample_cell *cells)
{
    for (size_t c = 0; c < bootstrap->count; c++) {
        const struct resample_cell *cell = &cells[c];
        size_t at = c * bootstrap->blocks;
        double base_center = cell->base_count ? stats_median(cell->base, cell->base_count) : 0;
        lay_out(cell->base, cell->base_block, cell->base_count, base_center, bootstrap->blocks, bootstrap->base + at);
        lay_out(cell->head, cell->head_block, cell->head_count,
                cell->base_count ? stats_median(cell->head, cell->head_count) : cell->effect, bootstrap->blocks,
                bootstrap->head + at);
    }
}

static void draw_means(struct bootstrap *bootstrap, double effect, uint64_t seed, bool paired)
{
    struct resample_random random = {seed};
    for (size_t draw = 0; draw < MEAN_DRAWS; draw++) {
        draw_blocks(bootstrap, &random);
        bootstrap->mean[draw] = effect + drawn_mean(bootstrap, bootstrap->head);
        if (paired)
            continue;
        draw_blocks(bootstrap, &random); /* the processes of the other side are others */
        bootstrap->mean[draw] -= drawn_mean(bootstrap, bootstrap->base);
    }
}

static bool is_paired(const struct resample_cell *cells, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        if (cells[c].base_count)
            return false;
    }
    return true;
}

int resample_geometric_mean(const struct resample_cell *cells, size_t count, size_t blocks, uint64_t seed,
                            struct resample_mean *mean)
{
    if (!count || !blocks)
        return -EINVAL;
    struct bootstrap bootstrap = {
        .count = count,
        .blocks = blocks,
        .head = need(count * blocks, sizeof(double)),
        .base = need(count * blocks, sizeof(double)),
        .drawn = need(blocks, sizeof(size_t)),
        .scratch = need(blocks, sizeof(double)),
        .mean = need(MEAN_DRAWS, sizeof(double)),
    };
    bool enough = bootstrap.head && bootstrap.base && bootstrap.drawn && bootstrap.scratch && bootstrap.mean;
    if (enough) {
        double sum = 0;
        for (size_t c = 0; c < count; c++)
            sum += cells[c].effect;
        mean->effect = sum / (double)count;
        fill(&bootstrap, cells);
        draw_means(&bootstrap, mean->effect, seed, is_paired(cells, count));
        stats_sort(bootstrap.mean, MEAN_DRAWS);
        mean->ci95[0] = bootstrap.mean[MEAN_DRAWS / 40 - 1];
        mean->ci95[1] = bootstrap.mean[MEAN_DRAWS - MEAN_DRAWS / 40];
    }
    free(bootstrap.head);
    free(bootstrap.base);
    free(bootstrap.drawn);
    free(bootstrap.scratch);
    free(bootstrap.mean);
    return enough ? 0 : -ENOMEM;
}
