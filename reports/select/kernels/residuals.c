/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

static const char *const fields[] = {[RESIDUAL_MAX] = "residual", [RESIDUAL_OVERLAP] = "residual_overlap"};

static bool counts(const json_t *row, const struct residual_query *query, enum residual_model model)
{
    return view_is_cold(row) == query->cold && cells_is_small(row) == query->small &&
           (!query->kernel || strcmp(view_text(row, "name"), query->kernel) == 0) &&
           (!query->ours || strcmp(view_text(row, "origin"), "kneepoint") == 0) && cells_is_valid(row) &&
           !json_is_false(json_object_get(row, "held_out")) && isfinite(view_median(row, fields[model])) &&
           (!query->with_overlap || isfinite(view_median(row, fields[RESIDUAL_OVERLAP])));
}

/** The least value that at least nine of ten do not exceed, of sorted ones. */
static double tenth_of(const double *sorted, size_t count)
{
    return count < RESIDUAL_CELLS_LEAST ? NAN : sorted[(9 * count + 9) / 10 - 1];
}

/** Half the 95% interval of a cell's time over the time; NaN where it has none. */
static double half_width(const json_t *row)
{
    const json_t *interval = json_object_get(json_object_get(row, "time_s"), "ci95");
    double low = json_number_value(json_array_get(interval, 0)), high = json_number_value(json_array_get(interval, 1));
    return low > 0 && high >= low ? (high - low) / 2 / view_median(row, "time_s") : (double)NAN;
}

struct residual_spread residuals_of(const struct view *view, const struct residual_query *query,
                                    enum residual_model model)
{
    struct residual_spread spread = {
        .median = NAN, .median_size = NAN, .tenth_size = NAN, .known_size = NAN, .known_tenth_size = NAN};
    size_t rows = view->of[VIEW_GEMV].count;
    double *values = need(rows + 1, sizeof *values), *sizes = need(rows + 1, sizeof *sizes);
    double *widths = need(rows + 1, sizeof *widths);
    size_t known = 0;
    for (size_t i = 0; values && sizes && widths && i < rows; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!counts(row, query, model))
            continue;
        double residual = view_median(row, fields[model]);
        if (!spread.worst || fabs(residual) > fabs(view_median(spread.worst, fields[model])))
            spread.worst = row;
        values[spread.count] = residual;
        sizes[spread.count++] = fabs(residual);
        widths[known] = half_width(row);
        known += isfinite(widths[known]);
    }
    if (spread.count) {
        spread.median = stats_median(values, spread.count);
        spread.median_size = stats_median(sizes, spread.count);
        stats_sort(sizes, spread.count);
        spread.tenth_size = tenth_of(sizes, spread.count);
    }
    if (known) {
        stats_sort(widths, known);
        spread.known_size = stats_median(widths, known);
        spread.known_tenth_size = tenth_of(widths, known);
    }
    free(values);
    free(sizes);
    free(widths);
    return spread;
}

const char *residuals_verdict(const struct residual_spread *spread, bool small)
{
    if (spread->count < RESIDUAL_CELLS_LEAST)
        return "";
    bool met = small ? spread->median_size <= RESIDUAL_SMALL_AT_MOST
                     : spread->median_size <= RESIDUAL_MEDIAN_AT_MOST && spread->tenth_size <= RESIDUAL_TENTH_AT_MOST;
    return met ? "met" : "missed";
}
