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

struct graded product_roof_fraction(const struct cell *cell)
{
    return roof_paired_fraction(cell, product_packed_bytes(cell));
}

struct graded product_bandwidth(const struct cell *cell)
{
    return summary_per_second(cell, product_packed_bytes(cell));
}

struct graded product_bytes_per_cycle(const struct cell *cell)
{
    return summary_per_cycle(cell, product_packed_bytes(cell) / cell->threads);
}

struct graded product_operations_per_s(const struct cell *cell)
{
    return summary_per_second(cell, operations(cell));
}

struct graded product_tokens_per_s(const struct cell *cell)
{
    return summary_per_second(cell, tokens(cell));
}

struct graded product_operations(const struct cell *cell)
{
    return summary_per_cycle(cell, operations(cell) / cell->threads);
}

struct graded product_cycles_per_vector(const struct cell *cell)
{
    return summary_cycles_per(cell, product_vectors(cell) / cell->threads);
}
