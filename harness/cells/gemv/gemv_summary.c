/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What GEMV cells attain, and the read roof that each is compared with.
 */
#include "harness/cells/gemv/gemv_summary.h"
#include "harness/cells/cell/roof_beside.h"
#include "harness/cells/cell/roof_near.h"
#include "harness/measure/session_level.h"

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
    return roof_beside_fraction_of(cell, i, gemv_packed_bytes(cell), value, grade);
}

void gemv_settle(struct cells *cells)
{
    roof_beside_choose_all(cells, &cell_kind_gemv);
    roof_near_set(cells, &cell_kind_gemv);
}

struct graded gemv_roof_fraction(const struct cell *cell)
{
    return summary_derive_beside(cell, summary_roof_pairs(cell), false, fraction_of, roof_beside_stream(cell));
}
