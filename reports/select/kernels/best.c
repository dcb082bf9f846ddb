/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/best.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"
#include "roofline/ebw.h"

enum { TEAMS = 64 };

/* Whether two rows are measured alike, and of kernels that compete. */
static bool are_peers(const json_t *a, const json_t *b)
{
    return view_number(a, "m") == view_number(b, "m") && view_number(a, "k") == view_number(b, "k") &&
           view_number(a, "threads") == view_number(b, "threads") && view_is_cold(a) && view_is_cold(b) &&
           width_of(a) && width_of(a) == width_of(b);
}

/* What the fastest kernel is chosen by, of all that compete with the row. */
static struct bounded least_of_peers(const struct view *view, enum view_type type, const json_t *row)
{
    struct bounded least = {NAN, NAN, NAN};
    for (size_t i = 0; i < view->of[type].count; i++) {
        if (!are_peers(view->of[type].rows[i], row) || !cells_is_valid(view->of[type].rows[i]))
            continue;
        const struct bounded choice = reported_choice(view, type, i);
        if (choice.value > 0 && !(choice.value >= least.value))
            least = choice;
    }
    return least;
}

static bool is_like(const struct bounded *one, const struct bounded *least)
{
    double share = least->value / one->value;
    return share >= BEST_ALIKE || (share >= BEST_ALIKE_UNTOLD && one->low <= least->high);
}

/* In place of a row that is like the fastest of its width the one of those with the highest knee. */
static const json_t *highest_knee(const struct view *view, const json_t *row, const size_t *index, size_t count)
{
    const struct view_rows *rows = &view->of[VIEW_GEMV];
    const json_t *best = row;
    const struct bounded least = least_of_peers(view, VIEW_GEMV, row);
    double knee = NAN;
    for (size_t i = 0; i < count; i++) {
        const json_t *other = rows->rows[index[i]];
        const struct bounded choice = reported_choice(view, VIEW_GEMV, index[i]);
        if (!is_like(&choice, &least) || !are_peers(other, row))
            continue;
        double of = best_knee(cells_gamma(view, other)).value;
        if (of > 0 && !(knee >= of)) {
            best = rows->reported[index[i]] ? rows->reported[index[i]] : other;
            knee = of;
        }
    }
    return best;
}

/* Whether a row may be the best at all. */
static bool can_be_best(const json_t *row, enum view_type type)
{
    return type == VIEW_GAMMA ? view_median(row, "gamma") > 0 : cells_is_valid(row);
}

struct best best_among(const struct view *view, enum view_type type, bool (*is)(const void *of, const json_t *row),
                       const void *of, const struct gemm_query *query)
{
    const struct view_rows *rows = &view->of[type];
    size_t count = 0, *index = need(rows->count + 1, sizeof *index);
    for (size_t i = 0; index && i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if ((!query || gemm_cells_match(row, query)) && (!is || is(of, row)) && can_be_best(row, type))
            index[count++] = i;
    }
    struct best best = reported_best(view, type, index, count);
    if (best.known && count > 1 && type == VIEW_GEMV && view_is_cold(best.row))
        best.row = highest_knee(view, best.row, index, count);
    free(index);
    return best;
}

static bool is_matched(const void *query, const json_t *row)
{
    return cells_match(row, query);
}

struct best best_gemv(const struct view *view, const struct cell_query *query)
{
    return best_among(view, query->our_prefetch ? VIEW_PREFETCHED : VIEW_GEMV, is_matched, query, NULL);
}

struct best best_gemm(const struct view *view, const struct gemm_query *query)
{
    return best_among(view, VIEW_GEMM, NULL, NULL, query);
}

bool best_is_asked(const struct best_query *query, const json_t *row)
{
    bool published = *view_origin(row) != 0;
    return width_of(row) == query->width && (!query->kind || view_is_kind(row, query->kind)) &&
           (query->origin == BEST_OF_ALL || published == (query->origin == BEST_OF_PUBLISHED));
}

static bool is_asked(const void *query, const json_t *row)
{
    return best_is_asked(query, row);
}

struct best best_of_width(const struct view *view, const struct best_query *query)
{
    const struct gemm_query where = {.m = query->m, .k = query->k, .threads = query->threads, .cold = true};
    return best_among(view, VIEW_GEMV, is_asked, query, &where);
}

struct best best_share_of_width(const struct view *view, const struct best_query *query)
{
    const struct gemm_query where = {.m = query->m, .k = query->k, .threads = query->threads, .cold = true};
    const struct view_rows *rows = &view->of[VIEW_GEMV];
    struct best best = {.row = NULL};
    double highest = 0, unable = 0;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *row = rows->rows[i];
        if (!gemm_cells_match(row, &where) || !best_is_asked(query, row) || !can_be_best(row, VIEW_GEMV))
            continue;
        count++;
        const struct bounded choice = reported_share(view, i);
        double share = view_median(row, "roof_fraction");
        if (choice.value > highest) {
            highest = choice.value;
            best.row = rows->reported[i] ? rows->reported[i] : row;
            best.known = true;
        } else if (!(choice.value > 0) && share > unable) {
            unable = share;
            best.passed = row;
        }
    }
    if (!best.known && best.passed) /* one alone has no luck */
        return (struct best){.row = best.passed, .known = count == 1};
    best.passed = unable >= highest ? best.passed : NULL;
    return best;
}

/* Whether memory gives each core of a team about what it gives one alone. */
static bool reaches_alike(const struct view *view, unsigned threads)
{
    double alone = view_median(view_roof(view, "memory", 1), "bytes_per_cycle_per_core"),
           each = view_median(view_roof(view, "memory", threads), "bytes_per_cycle_per_core");
    return threads > 1 && each >= BEST_FILLS * alone;
}

struct best_fill best_fill_of(const struct view *view, const struct best_query *query)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS), judged = 0;
    struct best_fill fill = {.state = FILL_UNKNOWN};
    unsigned widest = count ? teams[count - 1] : 0, last = 0;
    double whole = view_median(view_roof(view, "memory", widest), "bytes_per_s");
    for (size_t t = 0; t < count; t++) {
        struct best_query of = *query;
        of.threads = teams[t];
        double share = view_median(best_of_width(view, &of).row, "roof_fraction"),
               roof = view_median(view_roof(view, "memory", teams[t]), "bytes_per_s");
        if (!(share * roof > 0) || !(whole > 0))
            continue;
        judged++;
        last = teams[t];
        if (!fill.threads && share * roof >= BEST_FILLS * whole)
            fill.threads = teams[t];
    }
    if (judged < 2)
        return (struct best_fill){.state = FILL_UNKNOWN};
    if (fill.threads)
        fill.state = fill.threads == widest && reaches_alike(view, widest) ? FILL_ONE_CORE : FILL_BY;
    else if (last == widest)
        fill = (struct best_fill){.state = FILL_NOT, .threads = widest};
    return fill;
}

const char *best_fill_words(const struct best_fill *fill, char *text, size_t size)
{
    if (fill->state == FILL_BY)
        snprintf(text, size, "%u", fill->threads);
    else if (fill->state == FILL_NOT)
        snprintf(text, size, "not with %u", fill->threads);
    else
        snprintf(text, size, fill->state == FILL_ONE_CORE ? "one core's reach is the limit" : "–");
    return text;
}

struct bounded best_bounded(const json_t *row, const char *field)
{
    const json_t *ci95 = json_object_get(json_object_get(row, field), "ci95"), *low = json_array_get(ci95, 0),
                 *high = json_array_get(ci95, 1);
    return (struct bounded){view_median(row, field), json_is_number(low) ? json_number_value(low) : (double)NAN,
                            json_is_number(high) ? json_number_value(high) : (double)NAN};
}

struct bounded best_ratio(const json_t *row, const json_t *than)
{
    const struct bounded time_s = best_bounded(row, "time_s"), base_s = best_bounded(than, "time_s");
    const struct bounded ratio = ratio_of(&base_s, &time_s);
    return isfinite(ratio.value) ? ratio : (struct bounded){base_s.value / time_s.value, NAN, NAN};
}

struct bounded best_knee(const json_t *gamma)
{
    if (view_number(json_object_get(gamma, "gamma"), "n") < STATS_KEPT_LEAST)
        return (struct bounded){NAN, NAN, NAN};
    struct bounded of = best_bounded(gamma, "gamma");
    double bytes = roofline_vector_bytes(view_bits(gamma));
    return (struct bounded){roofline_knee(bytes, of.value), bytes / of.high, of.low <= 0 ? INFINITY : bytes / of.low};
}
