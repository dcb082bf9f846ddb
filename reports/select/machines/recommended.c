/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/recommended.h"

#include <math.h>
#include <stdlib.h>

#include "reports/select/kernels/cells.h"
#include "reports/select/tokens/token_bound.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"

static const struct bounded unknown = {(double)NAN, (double)NAN, (double)NAN};

struct bounded recommended_quantity(const json_t *record, const char *field)
{
    double kept = view_number(json_object_get(record, field), "n");
    return kept < STATS_KEPT_LEAST ? unknown : best_bounded(record, field);
}

unsigned recommended_team(const struct view *view)
{
    double widest = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (view_is_cold(row) && cells_is_valid(row))
            widest = fmax(widest, view_number(row, "threads"));
    }
    return widest >= 1 && widest < 1e6 ? (unsigned)widest : 0;
}

/* The reference shape, or the largest of those that were measured of this width. */
static struct best_query shape_of(const struct view *view, const struct width *width, unsigned team)
{
    struct best_query query = {.width = width, .threads = team};
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double m = view_number(row, "m"), k = view_number(row, "k");
        bool reference = m == CELLS_REFERENCE_M && k == CELLS_REFERENCE_K;
        if (!best_is_asked(&query, row) || !cells_is_valid(row) ||
            !gemm_cells_match(row, &(struct gemm_query){.threads = team, .cold = true}))
            continue;
        if (reference || m * k > query.m * query.k) {
            query.m = m;
            query.k = k;
        }
        if (reference)
            break;
    }
    return query;
}

static void find_tokens(const struct view *view, unsigned team, struct recommended *row)
{
    const struct token_kernel kernel = {view_text(row->cell, "format"), view_text(row->cell, "sequence")};
    struct token_bound bound = token_bound(view, RECOMMENDED_MODEL, &kernel, team);
    bool measured = bound.measured > 0.999;
    row->tokens_measured = bound.measured;
    row->tokens_per_s = (struct bounded){1 / bound.seconds, measured ? 1 / bound.ci95[1] : (double)NAN,
                                         measured ? 1 / bound.ci95[0] : (double)NAN};
}

/* The knee of the best sequence of a width and kind that is not ours. */
static struct bounded published_knee(const struct view *view, const struct width *width, const char *kind)
{
    const struct view_rows *rows = &view->of[VIEW_GAMMA];
    size_t count = 0, *index = need(rows->count + 1, sizeof *index);
    for (size_t i = 0; index && i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if (width_of(row) == width && *view_origin(row) && view_is_kind(row, kind) && view_is_candidate(view, row))
            index[count++] = i;
    }
    struct bounded knee = best_knee(reported_best(view, VIEW_GAMMA, index, count).row);
    free(index);
    return knee;
}

static struct recommended row_of(const struct view *view, const struct width *width, unsigned team)
{
    struct recommended row = {.width = width,
                              .knee = unknown,
                              .attained = unknown,
                              .share = unknown,
                              .published_share = unknown,
                              .published_knee = unknown,
                              .tokens_per_s = unknown,
                              .tokens_measured = (double)NAN};
    struct best_query shape = shape_of(view, width, team);
    if (!team || !(shape.m > 0)) {
        row.published_knee = published_knee(view, width, "");
        return row;
    }
    row.best = best_of_width(view, &shape);
    row.cell = row.best.row;
    struct best_query published = shape;
    published.origin = BEST_OF_PUBLISHED;
    published.kind = view_kind(row.cell);
    row.best_published = best_share_of_width(view, &published);
    row.published = row.best_published.row;
    row.published_knee = published_knee(view, width, published.kind);
    row.gamma = cells_gamma(view, row.cell);
    if (row.gamma)
        row.knee = best_knee(row.gamma);
    row.attained = recommended_quantity(row.cell, "bytes_per_cycle_per_core");
    row.share = recommended_quantity(row.cell, "roof_fraction");
    row.published_share = recommended_quantity(row.published, "roof_fraction");
    if (row.cell) {
        row.fill = best_fill_of(view, &shape);
        find_tokens(view, team, &row);
    }
    return row;
}

size_t recommended_of(const struct view *view, struct recommended rows[RECOMMENDED_MAX])
{
    const struct width *widths;
    unsigned team = recommended_team(view);
    size_t count = 0, all = widths_all(&widths);
    for (size_t i = 0; i < all; i++) {
        rows[count] = row_of(view, &widths[i], team);
        count += rows[count].cell || widths[i].measured;
    }
    return count;
}

bool recommended_is_shown(const struct recommended *row)
{
    return row->cell && row->width->measured && row->attained.value > 0;
}

struct recommended recommended_of_bits(const struct view *view, double bits)
{
    const struct width *width = width_of_bits(bits);
    if (width)
        return row_of(view, width, recommended_team(view));
    return (struct recommended){.knee = unknown, .share = unknown};
}
