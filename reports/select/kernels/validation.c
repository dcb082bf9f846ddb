/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

bool validation_is_point(const json_t *knee)
{
    return view_flag(knee, "chosen") && !view_is_experiment(knee) && view_median(knee, "beta") > 0 &&
           view_median(knee, "e_bw") > 0 && view_number(knee, "distance") > 0 && view_number(knee, "knee") > 0;
}

bool validation_is_valid(const json_t *knee)
{
    double pairs = view_number(json_object_get(knee, "e_bw"), "n");
    return validation_is_point(knee) && !(pairs < VALIDATION_PAIRS) && !view_flag(knee, "above_roof") &&
           !view_flag(knee, "above_gamma") && !json_is_false(json_object_get(knee, "exact"));
}

bool validation_is_balanced(const json_t *knee)
{
    double distance = view_number(knee, "distance");
    return validation_is_valid(knee) && isfinite(view_number(knee, "overlap")) && distance >= VALIDATION_BALANCED &&
           distance <= 1 / VALIDATION_BALANCED;
}

bool validation_prefetches(const json_t *knee)
{
    return view_number(knee, "prefetch_bytes") > 0;
}

const json_t *validation_with_prefetch(const struct view *view, const json_t *knee)
{
    const char *name = view_text(knee, "name"), *level = view_text(knee, "level");
    double threads = view_number(knee, "threads");
    for (size_t i = 0; !validation_prefetches(knee) && i < view->of[VIEW_KNEE].count; i++) {
        const json_t *row = view->of[VIEW_KNEE].rows[i];
        if (view_number(row, "threads") == threads && strcmp(view_text(row, "name"), name) == 0 &&
            strcmp(view_text(row, "level"), level) == 0 && validation_prefetches(row) && validation_is_point(row))
            return row;
    }
    return NULL;
}

static bool is_at(const json_t *knee, const char *level)
{
    const char *own = view_text(knee, "level");
    if (!level)
        return true;
    return strcmp(level, "cache") == 0 ? strcmp(own, "memory") != 0 : strcmp(own, level) == 0;
}

bool validation_matches(const json_t *knee, const struct validation_query *query)
{
    return is_at(knee, query->level) && validation_prefetches(knee) == query->prefetch;
}

double validation_median(const struct view *view, const struct validation_query *query, const char *field,
                         size_t *count)
{
    size_t rows = view->of[VIEW_KNEE].count;
    double *values = need(rows + 1, sizeof *values);
    bool overlap = strcmp(field, "overlap") == 0;
    *count = 0;
    for (size_t i = 0; values && i < rows; i++) {
        const json_t *row = view->of[VIEW_KNEE].rows[i];
        double value = view_median(row, field);
        if (validation_matches(row, query) && isfinite(value) &&
            (overlap ? validation_is_balanced(row) : validation_is_valid(row)))
            values[(*count)++] = value;
    }
    double median = stats_median(values, *count);
    free(values);
    return median;
}

double validation_gain(const struct view *view, const char *level, size_t *count)
{
    size_t rows = view->of[VIEW_KNEE].count;
    double *gains = need(rows + 1, sizeof *gains);
    *count = 0;
    for (size_t i = 0; gains && i < rows; i++) {
        const json_t *plain = view->of[VIEW_KNEE].rows[i];
        if (!validation_is_valid(plain) || !is_at(plain, level))
            continue;
        const json_t *ahead = validation_with_prefetch(view, plain);
        if (ahead && validation_is_valid(ahead))
            gains[(*count)++] = view_median(ahead, "e_bw") / view_median(plain, "e_bw") - 1;
    }
    double median = stats_median(gains, *count);
    free(gains);
    return median;
}
