/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/kernels/width.h"

bool cells_is_valid(const json_t *gemv)
{
    return !view_flag(gemv, "above_roof") && !view_is_wrong(gemv) && view_median(gemv, "time_s") > 0;
}

bool cells_is_small(const json_t *gemv)
{
    return view_number(gemv, "m") * view_number(gemv, "k") < CELLS_SMALL_WEIGHTS;
}

/* Products of planes have activations of fewer bits, and compete with each other alone. */
static bool is_of_family(const json_t *gemv, const json_t *family)
{
    struct scheme_bits bits;
    return view_same_family(gemv, family) && scheme_bits_of(gemv, &bits) == scheme_bits_of(family, &bits);
}

/* The most selective fields are compared first: a run has thousands, and all are asked for every shape. */
bool cells_match(const json_t *gemv, const struct cell_query *query)
{
    return (!(query->m > 0) || view_number(gemv, "m") == query->m) &&
           (!(query->k > 0) || view_number(gemv, "k") == query->k) &&
           (!query->threads || view_number(gemv, "threads") == query->threads) && view_is_cold(gemv) == query->cold &&
           (!(query->format_bits > 0) || view_format_bits(gemv) == query->format_bits) &&
           (!query->isa || strcmp(view_text(gemv, "isa"), query->isa) == 0) &&
           (!query->format || strcmp(view_text(gemv, "format"), query->format) == 0) &&
           (!query->kind || view_is_kind(gemv, query->kind)) && (!query->papers || view_is_paper(gemv)) &&
           (!query->origin || strcmp(view_origin(gemv), query->origin) == 0) &&
           (!query->family || is_of_family(gemv, query->family));
}

/* Whether a gamma is of the sequence that the cell was predicted by ("name@accumulators"), whatever its accumulators. */
static bool is_of_sequence(const json_t *gamma, const char *used, const char *at)
{
    const char *name = view_text(gamma, "name");
    return strlen(name) == (size_t)(at - used) && strncmp(name, used, (size_t)(at - used)) == 0;
}

const json_t *cells_gamma(const struct view *view, const json_t *gemv)
{
    const char *used = view_text(gemv, "gamma_used"), *at = strrchr(used, '@');
    const struct view_rows *gammas = &view->of[VIEW_GAMMA];
    const json_t *least = NULL;
    for (size_t i = 0; at && i < gammas->count; i++) {
        if (!is_of_sequence(gammas->rows[i], used, at))
            continue;
        const json_t *row = gammas->reported[i] ? gammas->reported[i] : gammas->rows[i];
        if (view_number(row, "accumulators") == atof(at + 1))
            return row;
        if (view_is_candidate(view, row) && !(view_median(least, "gamma") <= view_median(row, "gamma")))
            least = row;
    }
    return least;
}

size_t cells_shapes(const struct view *view, struct cell_shape *shapes, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        struct cell_shape shape = {view_number(row, "m"), view_number(row, "k")};
        size_t at = 0;
        while (at < count && (shapes[at].m != shape.m || shapes[at].k != shape.k))
            at++;
        if (at == count && count < capacity && shape.m > 0 && shape.k > 0)
            shapes[count++] = shape;
    }
    return count;
}

enum plausibility cells_plausibility(const json_t *gemv)
{
    const json_t *interval = json_object_get(json_object_get(gemv, "time_s"), "ci95");
    const json_t *fastest = json_array_get(interval, 0);
    const struct plausibility_facts facts = {
        .roof_fraction = (double)NAN, /* the record has judged it */
        .fastest_s = json_is_number(fastest) ? json_number_value(fastest) : view_median(gemv, "time_s"),
        .predicted_overlap_s = view_number(gemv, "predicted_overlap_s"),
        .predicted_max_s = view_number(gemv, "predicted_s"),
    };
    return view_flag(gemv, "above_roof") ? PLAUSIBILITY_ABOVE_ROOF : plausibility_of(&facts);
}

size_t cells_count_verdict(const struct view *view, enum plausibility plausibility)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        count += view_median(row, "time_s") > 0 && cells_plausibility(row) == plausibility;
    }
    return count;
}

size_t cells_above_roof(const struct view *view)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++)
        count += view_flag(view->of[VIEW_GEMV].rows[i], "above_roof");
    return count;
}
