/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/roof_paired.h"

#include <stdlib.h>

#include "results/files/need.h"

static bool keep(const struct sample *sample)
{
    return sample->cause == SAMPLE_KEPT;
}

/** One kept read of the roof beside a cold cell. */
struct roof_read {
    unsigned stream;
    double bytes_per_s;
};

static int by_stream(const void *a, const void *b)
{
    unsigned x = ((const struct roof_read *)a)->stream, y = ((const struct roof_read *)b)->stream;
    return (x > y) - (x < y);
}

static bool is_of(const struct cell *cell, const struct cell_kind *kind, unsigned threads)
{
    return cell->kind == kind && cell->threads == threads;
}

/** The kept roof reads beside all cold cells of a team, ordered by stream; NULL: none. Caller frees. */
static struct roof_read *roof_reads(const struct cells *cells, const struct cell_kind *kind, unsigned threads,
                                    size_t *count)
{
    size_t most = 0;
    for (size_t i = 0; i < cells->count; i++)
        most += is_of(&cells->cell[i], kind, threads) ? cells->cell[i].roof.count : 0;
    struct roof_read *reads = most ? need(most, sizeof *reads) : NULL;
    *count = 0;
    for (size_t i = 0; reads && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        for (size_t s = 0; is_of(cell, kind, threads) && s < cell->roof.count; s++) {
            const struct sample *sample = &cell->roof.sample[s];
            if (keep(sample))
                reads[(*count)++] = (struct roof_read){sample->stream, (double)cell->roof_bytes / sample->wall_s};
        }
    }
    if (reads)
        qsort(reads, *count, sizeof *reads, by_stream);
    return reads;
}

/** The stream with the highest median. @return 0 where there is no read */
static unsigned fastest_stream(const struct roof_read *reads, size_t count)
{
    double *value = need(count + 1, sizeof *value), most = 0;
    unsigned winner = 0;
    for (size_t first = 0, end; value && first < count; first = end) {
        for (end = first; end < count && reads[end].stream == reads[first].stream; end++)
            value[end - first] = reads[end].bytes_per_s;
        double median = stats_median(value, end - first);
        if (median > most) {
            most = median;
            winner = reads[first].stream;
        }
    }
    free(value);
    return winner;
}

void roof_paired_choose(struct cells *cells, const struct cell_kind *kind, unsigned threads)
{
    size_t count;
    struct roof_read *reads = roof_reads(cells, kind, threads, &count);
    unsigned winner = reads ? fastest_stream(reads, count) : 0;
    free(reads);
    for (size_t i = 0; i < cells->count; i++) {
        if (is_of(&cells->cell[i], kind, threads))
            cells->cell[i].roof_stream = winner;
    }
}

void roof_paired_choose_all(struct cells *cells, const struct cell_kind *kind)
{
    unsigned widest = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].kind == kind && cells->cell[i].threads > widest)
            widest = cells->cell[i].threads;
    }
    for (unsigned threads = 1; threads <= widest; threads++)
        roof_paired_choose(cells, kind, threads);
}

unsigned roof_paired_stream(const struct cell *cell)
{
    for (size_t i = 0; i < summary_roof_pairs(cell); i++) {
        if (cell->roof.sample[i].stream == cell->roof_stream)
            return cell->roof_stream;
    }
    return 0;
}

/** Bandwidth of the roof in pair i; false where its read was not kept. */
static bool bandwidth_of(const struct cell *cell, size_t i, double bytes, double *value, enum sample_grade *grade)
{
    const struct sample *roof = &cell->roof.sample[i];
    *value = bytes / roof->wall_s;
    *grade = roof->grade;
    return keep(roof);
}

struct graded roof_paired_bandwidth(const struct cell *cell)
{
    return summary_derive_beside(cell, bandwidth_of, (double)cell->roof_bytes, roof_paired_stream(cell));
}

static bool fraction_of(const struct cell *cell, size_t i, double bytes, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = bytes / seconds / ((double)cell->roof_bytes / cell->roof.sample[i].wall_s);
    return kept && keep(&cell->roof.sample[i]);
}

struct graded roof_paired_fraction(const struct cell *cell, double bytes)
{
    return summary_derive_beside(cell, fraction_of, bytes, roof_paired_stream(cell));
}
