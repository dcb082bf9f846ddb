/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemm/gemm_summary.h"

#include "harness/cells/cell/roof_beside.h"
#include "harness/measure/session_level.h"

double gemm_packed_bytes(const struct cell *cell)
{
    return (double)format_packed_bytes(cell->kernel->format, gemm_cell(cell)->m, gemm_cell(cell)->k);
}

double gemm_vectors(const struct cell *cell)
{
    const struct format *format = cell->kernel->format;
    const struct gemm_cell *own = gemm_cell(cell);
    return (double)(format_panels(format, own->m) * format->rows_per_panel) * (double)format_columns(format, own->k) /
           32;
}

const char *gemm_level(const struct session *session, const struct cell *cell)
{
    return cell->cold ? "memory"
                      : session_level_of(session, (size_t)(gemm_packed_bytes(cell) / cell->threads), cell->threads);
}

static double operations(const struct cell *cell)
{
    const struct gemm_cell *own = gemm_cell(cell);
    return 2.0 * (double)own->m * (double)own->k * (double)own->tokens;
}

/** Core cycles that all cores together spend on a repeat in sample i. */
static bool cycles_of(const struct cell *cell, size_t i, double *cycles, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *cycles = seconds * cell->samples.sample[i].core_hz * cell->threads;
    return kept;
}

static bool bandwidth_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = gemm_packed_bytes(cell) / seconds;
    return kept;
}

static bool operations_per_s_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = operations(cell) / seconds;
    return kept;
}

static bool tokens_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = summary_time_of(cell, i, &seconds, grade);
    *value = (double)gemm_cell(cell)->tokens / seconds;
    return kept;
}

static bool operations_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double cycles;
    bool kept = cycles_of(cell, i, &cycles, grade);
    *value = operations(cell) / cycles;
    return kept;
}

static bool cycles_per_vector_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double cycles;
    bool kept = cycles_of(cell, i, &cycles, grade);
    *value = cycles / gemm_vectors(cell);
    return kept;
}

static bool fraction_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    return roof_beside_fraction_of(cell, i, gemm_packed_bytes(cell), value, grade);
}

struct graded gemm_roof_fraction(const struct cell *cell)
{
    return summary_derive_beside(cell, summary_roof_pairs(cell), false, fraction_of, roof_beside_stream(cell));
}

struct graded gemm_bandwidth(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, bandwidth_of);
}

struct graded gemm_operations_per_s(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, operations_per_s_of);
}

struct graded gemm_tokens_per_s(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, tokens_of);
}

struct graded gemm_operations(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, operations_of);
}

struct graded gemm_cycles_per_vector(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, cycles_per_vector_of);
}
