/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/roof_paired.h"

#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

/** A kept read of the roof beside a cell. */
struct near_read {
    const struct cell *of;
    long turn;
    double bytes_per_s;
};

struct near_reads {
    struct near_read *read; /* ascending by turn */
    size_t count;
};

static int by_turn(const void *a, const void *b)
{
    const struct near_read *x = a, *y = b;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

static bool is_of(const struct cell *cell, const struct cell_kind *kind, unsigned threads)
{
    return cell->kind == kind && cell->threads == threads && cell->cold && cell->roof.count;
}

/** Those beside all cold cells of a team, of the stream that is their roof. */
static struct near_reads collect(const struct cells *cells, const struct cell_kind *kind, unsigned threads)
{
    struct near_reads reads = {0};
    size_t most = 0;
    for (size_t i = 0; i < cells->count; i++)
        most += is_of(&cells->cell[i], kind, threads) ? cells->cell[i].roof.count : 0;
    reads.read = most ? need(most, sizeof *reads.read) : NULL;
    for (size_t i = 0; reads.read && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        for (size_t s = 0; is_of(cell, kind, threads) && s < cell->roof.count; s++) {
            const struct sample *sample = &cell->roof.sample[s];
            if (sample->cause == SAMPLE_KEPT && sample->stream == cell->roof_stream)
                reads.read[reads.count++] =
                    (struct near_read){cell, sample->turn, (double)cell->roof_bytes / sample->wall_s};
        }
    }
    if (reads.read)
        qsort(reads.read, reads.count, sizeof *reads.read, by_turn);
    return reads;
}

/** The first read that is not before a turn. */
static size_t first_from(const struct near_reads *reads, long turn)
{
    size_t low = 0, high = reads->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reads->read[middle].turn < turn)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** Median of the reads beside other cells that are nearest to a turn; 0 where there are too few. */
static double median_near(const struct near_reads *reads, const struct cell *cell, long turn)
{
    double value[ROOF_NEAR_READS];
    size_t after = first_from(reads, turn), before = after, count = 0;
    while (count < ROOF_NEAR_READS && (before > 0 || after < reads->count)) {
        bool take_after = before == 0 || (after < reads->count &&
                                          reads->read[after].turn - turn <= turn - reads->read[before - 1].turn);
        const struct near_read *next = take_after ? &reads->read[after++] : &reads->read[--before];
        if (next->of != cell)
            value[count++] = next->bytes_per_s;
    }
    return count == ROOF_NEAR_READS ? stats_median(value, count) : 0;
}

/** Median over the kept samples of a cell, each with what was read near it. */
static double near_of(const struct near_reads *reads, const struct cell *cell)
{
    double *value = need(cell->samples.count + 1, sizeof *value), here = 0;
    size_t count = 0;
    long turn = 0;
    for (size_t i = 0; value && i < cell->samples.count; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (i == 0 || sample->turn != turn)
            here = median_near(reads, cell, sample->turn);
        turn = sample->turn;
        if (sample->cause == SAMPLE_KEPT && here > 0)
            value[count++] = here;
    }
    double near = count ? stats_median(value, count) : 0;
    free(value);
    return near;
}

static void set_of_team(struct cells *cells, const struct cell_kind *kind, unsigned threads)
{
    struct near_reads reads = collect(cells, kind, threads);
    for (size_t i = 0; i < cells->count; i++) {
        struct cell *cell = &cells->cell[i];
        if (is_of(cell, kind, threads))
            cell->roof_local_bytes_per_s = near_of(&reads, cell);
    }
    free(reads.read);
}

void roof_local_set(struct cells *cells, const struct cell_kind *kind)
{
    unsigned widest = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].kind == kind && cells->cell[i].threads > widest)
            widest = cells->cell[i].threads;
    }
    for (unsigned threads = 1; threads <= widest; threads++)
        set_of_team(cells, kind, threads);
}
