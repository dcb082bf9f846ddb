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
    return cell->cold ? "memory" : session_level_of(session, (size_t)(gemv_packed_bytes(cell) / cell->threads));
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

struct pooled {
    unsigned stream;
    size_t count, capacity;
    double *bytes_per_s;
    bool failed;
};

static void pool(struct pooled *pooled, double bytes_per_s)
{
    if (pooled->count == pooled->capacity) {
        size_t capacity = 2 * pooled->capacity + 64;
        double *grown = realloc(pooled->bytes_per_s, capacity * sizeof *grown);
        if (!grown) {
            pooled->failed = true;
            return;
        }
        pooled->bytes_per_s = grown;
        pooled->capacity = capacity;
    }
    pooled->bytes_per_s[pooled->count++] = bytes_per_s;
}

/** Add the kept roof samples of a cell to those of its streams. */
static void pool_cell(struct pooled pooled[SESSION_ROOF_STREAMS], const struct cell *cell)
{
    for (size_t i = 0; i < cell->roof.count; i++) {
        const struct sample *sample = &cell->roof.sample[i];
        for (int s = 0; s < SESSION_ROOF_STREAMS && sample->cause == SAMPLE_KEPT; s++) {
            if (pooled[s].count && pooled[s].stream != sample->stream)
                continue;
            pooled[s].stream = sample->stream;
            pool(&pooled[s], (double)cell->roof_bytes / sample->wall_s);
            break;
        }
    }
}

void gemv_choose_roofs(struct cells *cells, unsigned threads)
{
    struct pooled pooled[SESSION_ROOF_STREAMS] = {{0}};
    for (size_t i = 0; i < cells->count; i++) {
        if (gemv_cell(&cells->cell[i]) && cells->cell[i].threads == threads)
            pool_cell(pooled, &cells->cell[i]);
    }
    unsigned winner = 0;
    double most = 0;
    for (int s = 0; s < SESSION_ROOF_STREAMS; s++) {
        double median = stats_median(pooled[s].bytes_per_s, pooled[s].count);
        if (!pooled[s].failed && median > most) {
            most = median;
            winner = pooled[s].stream;
        }
        free(pooled[s].bytes_per_s);
    }
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
