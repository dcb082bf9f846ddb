/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/fastest.h"

#include <math.h>
#include <stdlib.h>

#include "reports/select/kernels/cells.h"
#include "reports/select/run/reported.h"

static const json_t *least(const struct view_rows *rows, const size_t *index, size_t count)
{
    const json_t *row = NULL;
    for (size_t i = 0; i < count; i++) {
        double time_s = view_median(rows->rows[index[i]], "time_s");
        if (time_s > 0 && (!row || time_s < view_median(row, "time_s")))
            row = rows->rows[index[i]];
    }
    return row;
}

const json_t *fastest_valid(const struct view *view, enum view_type type, bool (*is)(const void *of, const json_t *row),
                            const void *of, const struct gemm_query *query)
{
    const struct view_rows *rows = &view->of[type];
    size_t count = 0, *index = calloc(rows->count + 1, sizeof *index);
    for (size_t i = 0; index && i < rows->count; i++) {
        if (is(of, rows->rows[i]) && cells_is_valid(rows->rows[i]) && gemm_cells_match(rows->rows[i], query))
            index[count++] = i;
    }
    const json_t *fastest = count ? reported_best(view, type, index, count) : NULL;
    if (!(view_median(fastest, "time_s") > 0))
        fastest = least(rows, index, count);
    free(index);
    return fastest;
}

struct bounded fastest_bounded(const json_t *row, const char *field)
{
    const json_t *ci95 = json_object_get(json_object_get(row, field), "ci95"), *low = json_array_get(ci95, 0),
                 *high = json_array_get(ci95, 1);
    return (struct bounded){view_median(row, field), json_is_number(low) ? json_number_value(low) : (double)NAN,
                            json_is_number(high) ? json_number_value(high) : (double)NAN};
}

struct bounded fastest_ratio(const json_t *row, const json_t *than)
{
    const struct bounded time_s = fastest_bounded(row, "time_s"), base_s = fastest_bounded(than, "time_s");
    const struct bounded ratio = ratio_of(&base_s, &time_s);
    return isfinite(ratio.value) ? ratio : (struct bounded){base_s.value / time_s.value, NAN, NAN};
}
