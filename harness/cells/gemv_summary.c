/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What GEMV cells attain, and the read roof that each is compared with.
 */
#include "harness/cells/gemv_summary.h"
#include "harness/measure/session_level.h"

#include <stdlib.h>

static bool keep(const struct sample *sample)
{
    return sample->cause == SAMPLE_KEPT;
}

double gemv_packed_bytes(const struct cell *cell)
{
    return (double)format_packed_bytes(cell->kernel->format, gemv_cell(cell)->m, gemv_cell(cell)->k);
}

const char *gemv_level(const struct session *session, const struct cell *cell)
{
    return cell->cold ? "memory"
                      : session_level_of(session, (size_t)(gemv_packed_bytes(cell) / cell->threads), cell->threads);
}

static bool bandwidth_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = gemv_packed_bytes(cell) / seconds;
    return kept;
}

static bool bytes_per_cycle_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = gemv_packed_bytes(cell) / (seconds * cell->samples.sample[i].core_hz * cell->threads);
    return kept;
}

static bool operations_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    double operations = 2.0 * (double)gemv_cell(cell)->m * (double)gemv_cell(cell)->k;
    *value = operations / (seconds * cell->samples.sample[i].core_hz * cell->threads);
    return kept;
}

struct graded gemv_bandwidth(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, bandwidth_of);
}

struct graded gemv_bytes_per_cycle(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, bytes_per_cycle_of);
}

struct graded gemv_operations(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, operations_of);
}

/* ---- the roof of cold cells ---- */

static bool fraction_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *roof = &cell->roof.sample[i];
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = gemv_packed_bytes(cell) / seconds / ((double)cell->roof_bytes / roof->wall_s);
    return kept && keep(roof);
}

static bool paired_roof_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *roof = &cell->roof.sample[i];
    *value = (double)cell->roof_bytes / roof->wall_s;
    *grade = roof->grade;
    return keep(roof);
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

/** The kept roof reads beside all cold cells of a team, ordered by stream; NULL: none, or no memory. Caller frees. */
static struct roof_read *roof_reads(const struct cells *cells, unsigned threads, size_t *count)
{
    size_t most = 0;
    for (size_t i = 0; i < cells->count; i++)
        most += gemv_cell(&cells->cell[i]) && cells->cell[i].threads == threads ? cells->cell[i].roof.count : 0;
    struct roof_read *reads = most ? calloc(most, sizeof *reads) : NULL;
    *count = 0;
    for (size_t i = 0; reads && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        for (size_t s = 0; gemv_cell(cell) && cell->threads == threads && s < cell->roof.count; s++) {
            const struct sample *sample = &cell->roof.sample[s];
            if (keep(sample))
                reads[(*count)++] = (struct roof_read){sample->stream, (double)cell->roof_bytes / sample->wall_s};
        }
    }
    if (reads)
        qsort(reads, *count, sizeof *reads, by_stream);
    return reads;
}

/** The stream with the highest median. @return 0 where there is no read, or no memory */
static unsigned fastest_stream(const struct roof_read *reads, size_t count)
{
    double *value = calloc(count + 1, sizeof *value), most = 0;
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

void gemv_choose_roofs(struct cells *cells, unsigned threads)
{
    size_t count;
    struct roof_read *reads = roof_reads(cells, threads, &count);
    unsigned winner = reads ? fastest_stream(reads, count) : 0;
    free(reads);
    for (size_t i = 0; i < cells->count; i++) {
        if (gemv_cell(&cells->cell[i]) && cells->cell[i].threads == threads)
            gemv_cell(&cells->cell[i])->roof_stream = winner;
    }
}

void gemv_settle(struct cells *cells)
{
    unsigned widest = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (gemv_cell(&cells->cell[i]) && cells->cell[i].threads > widest)
            widest = cells->cell[i].threads;
    }
    for (unsigned threads = 1; threads <= widest; threads++)
        gemv_choose_roofs(cells, threads);
}

/** The roof stream of this cell, if it has pairs with it; else 0: all of them. */
unsigned gemv_roof_stream(const struct cell *cell)
{
    for (size_t i = 0; i < summary_roof_pairs(cell); i++) {
        if (cell->roof.sample[i].stream == gemv_cell(cell)->roof_stream)
            return gemv_cell(cell)->roof_stream;
    }
    return 0;
}

struct graded gemv_roof_fraction(const struct cell *cell)
{
    return summary_derive_beside(cell, summary_roof_pairs(cell), false, fraction_of, gemv_roof_stream(cell));
}

struct graded gemv_roof_beside(const struct cell *cell)
{
    return summary_derive_beside(cell, summary_roof_pairs(cell), false, paired_roof_of, gemv_roof_stream(cell));
}
