/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/gemm_cells.h"

#include <stdlib.h>
#include <string.h>

#include "reports/select/kernels/cells.h"
#include "results/records/record.h"

bool gemm_cells_match(const json_t *gemm, const struct gemm_query *query)
{
    return (!(query->m > 0) || view_number(gemm, "m") == query->m) &&
           (!(query->k > 0) || view_number(gemm, "k") == query->k) &&
           (!(query->n > 0) || view_number(gemm, "n") == query->n) &&
           (!query->threads || view_number(gemm, "threads") == query->threads) && view_is_cold(gemm) == query->cold &&
           (!(query->format_bits > 0) || view_format_bits(gemm) == query->format_bits) &&
           (!query->isa_begin || strncmp(view_text(gemm, "isa"), query->isa_begin, strlen(query->isa_begin)) == 0);
}

bool gemm_cells_is_counted(const json_t *gemm)
{
    return strcmp(view_text(json_object_get(gemm, "ops_per_cycle"), "grade"), "wall") != 0;
}

static size_t count_of(const struct view *view, const struct gemm_query *query)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++)
        count += gemm_cells_match(view->of[VIEW_GEMM].rows[i], query);
    return count;
}

static bool is_reference_shape(const struct gemm_query *query)
{
    return query->m == CELLS_REFERENCE_M && query->k == CELLS_REFERENCE_K;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/** The values of a member, each once. */
static size_t values_of(const struct view *view, const struct gemm_query *query, double (*value_of)(const json_t *gemm),
                        double *values, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        double value = value_of(row);
        size_t at = 0;
        while (at < count && values[at] != value)
            at++;
        if (at == count && count < most && value > 0 && gemm_cells_match(row, query))
            values[count++] = value;
    }
    qsort(values, count, sizeof *values, ascending);
    return count;
}

static double tokens_of(const json_t *gemm)
{
    return view_number(gemm, "n");
}

size_t gemm_cells_tokens(const struct view *view, const struct gemm_query *query, double tokens[GEMM_CELLS_TOKENS])
{
    return values_of(view, query, tokens_of, tokens, GEMM_CELLS_TOKENS);
}

/** Whether there is more than one number of tokens, without which nothing changes from one to the next. */
static bool is_sweep(const struct view *view, const struct gemm_query *query)
{
    double tokens[GEMM_CELLS_TOKENS];
    return gemm_cells_tokens(view, query, tokens) > 1;
}

/** Whether a is preferred: for its shape, then its sweep of tokens, then its team, then what there is of it. */
static bool is_better(const struct view *view, const struct gemm_query *a, const struct gemm_query *b)
{
    if (is_reference_shape(a) != is_reference_shape(b))
        return is_reference_shape(a);
    bool a_sweeps = is_sweep(view, a), b_sweeps = is_sweep(view, b);
    if (a_sweeps != b_sweeps)
        return a_sweeps;
    if (a->threads != b->threads)
        return a->threads > b->threads;
    return count_of(view, a) > count_of(view, b);
}

struct gemm_query gemm_cells_reference(const struct view *view)
{
    const struct view_rows *rows = &view->of[VIEW_GEMM];
    struct gemm_query best = {0};
    for (size_t i = 0; i < rows->count; i++)
        best.cold = best.cold || view_is_cold(rows->rows[i]);
    for (size_t i = 0; i < rows->count; i++) {
        struct gemm_query query = {.cold = best.cold,
                                   .threads = record_count(rows->rows[i], "threads"),
                                   .m = view_number(rows->rows[i], "m"),
                                   .k = view_number(rows->rows[i], "k")};
        if (gemm_cells_match(rows->rows[i], &query) && is_better(view, &query, &best))
            best = query;
    }
    return best;
}

size_t gemm_cells_widths(const struct view *view, const struct gemm_query *query, double widths[GEMM_CELLS_WIDTHS])
{
    size_t count = values_of(view, query, view_format_bits, widths, GEMM_CELLS_WIDTHS);
    for (size_t i = 0; i < count / 2; i++) {
        double swap = widths[i];
        widths[i] = widths[count - 1 - i];
        widths[count - 1 - i] = swap;
    }
    return count;
}
