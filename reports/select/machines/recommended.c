/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/recommended.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/kernels/fastest.h"
#include "reports/select/papers/schemes.h"
#include "reports/select/run/reported.h"
#include "reports/select/tokens/token_bound.h"
#include "results/statistics/stats.h"
#include "roofline/ebw.h"

static const struct recommended_width widths[] = {
    {"1", 0.9, 1.3, "int1_planes int1_vnni4"},
    {"1.58", 1.5, 1.8, "tq1_0 tl2"},
    {"2", 1.9, 2.3, "int2_planes int2_vnni4 i2_s tl1"},
    {"2.6", 2.4, 2.8, "q2_k q2_k_m16 cb2_4"},
    {"3.5", 2.9, 3.8, NULL},
    {"4", 3.9, 4.1, NULL},
    {"4.5", 4.2, 4.9, "q4_0 q4_0_m16"},
    {"5.5", 5.0, 5.9, NULL},
    {"6.5", 6.0, 7.0, NULL},
    {"8", 7.8, 8.8, "int8_vnni4 q8_0_m16"},
    {"16", 15.5, 16.5, "bf16 f16"},
};
enum { WIDTHS = sizeof widths / sizeof *widths, TEAMS = 64 };

static const struct bounded unknown = {(double)NAN, (double)NAN, (double)NAN};

size_t recommended_widths(const struct recommended_width **all)
{
    *all = widths;
    return WIDTHS;
}

struct bounded recommended_quantity(const json_t *record, const char *field)
{
    double kept = view_number(json_object_get(record, field), "n");
    return kept < STATS_KEPT_LEAST ? unknown : fastest_bounded(record, field);
}

struct bounded recommended_knee(const json_t *gamma)
{
    struct bounded of = recommended_quantity(gamma, "gamma");
    double bytes = roofline_vector_bytes(view_bits(gamma));
    return (struct bounded){roofline_knee(bytes, of.value), bytes / of.high, bytes / of.low};
}

/* What is asked of a row. */
struct wanted {
    const struct recommended_width *width;
    bool published; /* of somebody else only */
};

static bool is_of_width(const struct recommended_width *width, const json_t *row)
{
    struct scheme_bits bits;
    double named = view_format_bits(row);
    return named >= width->least && named <= width->most && !scheme_bits_of(row, &bits);
}

static bool is_wanted(const void *of, const json_t *row)
{
    const struct wanted *wanted = of;
    return is_of_width(wanted->width, row) && (!wanted->published || *view_origin(row));
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
static struct gemm_query shape_of(const struct view *view, const struct wanted *wanted, unsigned team)
{
    struct gemm_query query = {.threads = team, .cold = true};
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double m = view_number(row, "m"), k = view_number(row, "k");
        bool reference = m == CELLS_REFERENCE_M && k == CELLS_REFERENCE_K;
        if (!is_wanted(wanted, row) || !cells_is_valid(row) ||
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

static double interval_end(const json_t *row, size_t end)
{
    const struct bounded time_s = fastest_bounded(row, "time_s");
    double value = end ? time_s.high : time_s.low;
    return isfinite(value) ? value : time_s.value;
}

/*
 * The fastest, or of those whose intervals reach its own the one with the highest knee: memory makes kernels alike, and what
 * tells them apart then is how much faster the memory could be.
 */
static const json_t *best_of(const struct view *view, const struct wanted *wanted, const struct gemm_query *query)
{
    const struct view_rows *rows = &view->of[VIEW_GEMV];
    const json_t *fastest = fastest_valid(view, VIEW_GEMV, is_wanted, wanted, query), *best = fastest;
    double knee = recommended_knee(cells_gamma(view, fastest)).value;
    for (size_t i = 0; fastest && i < rows->count; i++) {
        const json_t *row = rows->reported && rows->reported[i] ? rows->reported[i] : rows->rows[i];
        if (!is_wanted(wanted, row) || !cells_is_valid(row) || !gemm_cells_match(row, query))
            continue;
        double other = recommended_knee(cells_gamma(view, row)).value;
        bool alike = interval_end(row, 0) <= interval_end(fastest, 1) &&
                     view_median(row, "roof_fraction") >= RECOMMENDED_ALIKE * view_median(fastest, "roof_fraction");
        if (alike && other > 0 && !(knee >= other)) {
            best = row;
            knee = other;
        }
    }
    return best;
}

/* The fewest threads with which the fastest kernel of a width reads most of what memory gives the widest team. */
static void find_fills(const struct view *view, const struct wanted *wanted, const struct gemm_query *shape,
                       struct recommended *row)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS), judged = 0;
    double whole = view_median(view_roof(view, "memory", shape->threads), "bytes_per_s");
    for (size_t t = 0; t < count; t++) {
        struct gemm_query query = *shape;
        query.threads = teams[t];
        double share = view_median(fastest_valid(view, VIEW_GEMV, is_wanted, wanted, &query), "roof_fraction");
        double roof = view_median(view_roof(view, "memory", teams[t]), "bytes_per_s");
        if (!(share * roof > 0) || !(whole > 0))
            continue;
        judged++;
        if (!row->fills && share * roof >= RECOMMENDED_FILLS * whole)
            row->fills = teams[t];
    }
    row->fills_known = judged > 1;
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

/* The greatest knee of a width's sequences that are not ours. */
static struct bounded published_knee(const struct view *view, const struct recommended_width *width)
{
    struct bounded best = unknown;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (!is_of_width(width, row) || !*view_origin(row) || !view_is_candidate(view, row))
            continue;
        struct bounded knee = recommended_knee(row);
        if (knee.value > 0 && !(best.value >= knee.value))
            best = knee;
    }
    return best;
}

static struct recommended row_of(const struct view *view, const struct recommended_width *width, unsigned team)
{
    struct recommended row = {.width = width,
                              .knee = unknown,
                              .attained = unknown,
                              .share = unknown,
                              .published_share = unknown,
                              .published_knee = published_knee(view, width),
                              .tokens_per_s = unknown,
                              .tokens_measured = (double)NAN};
    struct wanted any = {.width = width}, published = {.width = width, .published = true};
    struct gemm_query shape = shape_of(view, &any, team);
    if (!team || !(shape.m > 0))
        return row;
    row.cell = best_of(view, &any, &shape);
    row.published = best_of(view, &published, &shape);
    row.gamma = cells_gamma(view, row.cell);
    if (row.gamma)
        row.knee = recommended_knee(row.gamma);
    row.attained = recommended_quantity(row.cell, "bytes_per_cycle_per_core");
    row.share = recommended_quantity(row.cell, "roof_fraction");
    row.published_share = recommended_quantity(row.published, "roof_fraction");
    if (row.cell) {
        find_fills(view, &any, &shape, &row);
        find_tokens(view, team, &row);
    }
    return row;
}

size_t recommended_of(const struct view *view, struct recommended rows[RECOMMENDED_MAX])
{
    unsigned team = recommended_team(view);
    size_t count = 0;
    for (size_t i = 0; i < WIDTHS && count < RECOMMENDED_MAX; i++) {
        rows[count] = row_of(view, &widths[i], team);
        count += rows[count].cell || widths[i].measured;
    }
    return count;
}

struct recommended recommended_of_bits(const struct view *view, double bits)
{
    for (size_t i = 0; i < WIDTHS; i++) {
        if (bits >= widths[i].least && bits <= widths[i].most)
            return row_of(view, &widths[i], recommended_team(view));
    }
    return (struct recommended){.knee = unknown, .share = unknown};
}
