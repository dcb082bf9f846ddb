/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_summary.h"

#include "harness/cells/cell/roof_paired.h"
#include "harness/measure/session_level.h"

double product_packed_bytes(const struct cell *cell)
{
    return (double)format_packed_bytes(cell->kernel->format, product_cell(cell)->m, product_cell(cell)->k);
}

double product_vectors(const struct cell *cell)
{
    const struct format *format = cell->kernel->format;
    const struct product_cell *own = product_cell(cell);
    return (double)(format_panels(format, own->m) * format->rows_per_panel) * (double)format_columns(format, own->k) /
           32;
}

const char *product_level(const struct session *session, const struct cell *cell)
{
    return cell->cold ? "memory"
                      : session_level_of(session, (size_t)(product_packed_bytes(cell) / cell->threads), cell->threads);
}

/** A GEMV is of one. */
static double tokens(const struct cell *cell)
{
    return product_cell(cell)->tokens ? (double)product_cell(cell)->tokens : 1;
}

static double operations(const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    return 2.0 * (double)own->m * (double)own->k * tokens(cell);
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
    *value = product_packed_bytes(cell) / seconds;
    return kept;
}

static bool bytes_per_cycle_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double cycles;
    bool kept = cycles_of(cell, i, &cycles, grade);
    *value = product_packed_bytes(cell) / cycles;
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
    *value = tokens(cell) / seconds;
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
    *value = cycles / product_vectors(cell);
    return kept;
}

static bool fraction_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    return roof_paired_fraction_of(cell, i, product_packed_bytes(cell), value, grade);
}

struct graded product_roof_fraction(const struct cell *cell)
{
    return summary_derive_beside(cell, summary_roof_pairs(cell), false, fraction_of, roof_paired_stream(cell));
}

struct graded product_bandwidth(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, bandwidth_of);
}

struct graded product_bytes_per_cycle(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, bytes_per_cycle_of);
}

struct graded product_operations_per_s(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, operations_per_s_of);
}

struct graded product_tokens_per_s(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, tokens_of);
}

struct graded product_operations(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, operations_of);
}

struct graded product_cycles_per_vector(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, cycles_per_vector_of);
}
