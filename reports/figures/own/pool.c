/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "reports/draw/figure.h"
#include "reports/select/run/view.h"
#include "results/files/need.h"

/** Fewer sizes are no curve. */
enum { POINTS_LEAST = 3 };

static int by_size(const void *a, const void *b)
{
    double left = view_number(*(const json_t *const *)a, "bytes"),
           right = view_number(*(const json_t *const *)b, "bytes");
    return (left > right) - (left < right);
}

static bool is_point(const json_t *row)
{
    return view_median(row, "bytes_per_s") > 0 && view_number(row, "bytes") > 0;
}

/* Ends of the interval; the point itself where there is none. */
static double end_of(const json_t *row, size_t end)
{
    const json_t *interval = json_object_get(json_object_get(row, "bytes_per_s"), "ci95");
    const json_t *value = json_array_get(interval, end);
    return json_is_number(value) ? json_number_value(value) : view_median(row, "bytes_per_s");
}

/* A run that was added to may have curves of several teams: theirs are different machines. */
static double widest_of(const struct view_rows *rows)
{
    double threads = 0;
    for (size_t i = 0; i < rows->count; i++)
        threads = is_point(rows->rows[i]) ? fmax(threads, view_number(rows->rows[i], "threads")) : threads;
    return threads;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const struct view_rows *rows = &view->of[VIEW_POOL];
    const json_t **points = need(rows->count + 1, sizeof *points);
    size_t count = 0;
    double most = 0, widest = widest_of(rows);
    for (size_t i = 0; points && i < rows->count; i++) {
        if (is_point(rows->rows[i]) && !(view_number(rows->rows[i], "threads") < widest))
            points[count++] = rows->rows[i];
    }
    if (!points || count < POINTS_LEAST) {
        free(points);
        return points ? -ENODATA : -ENOMEM;
    }
    qsort(points, count, sizeof *points, by_size);
    fputs("# MB of all members, GB/s, its 95% interval from and to, times the stated caches, 1 if cold\n", data);
    for (size_t i = 0; i < count; i++) {
        double rate = view_median(points[i], "bytes_per_s") / 1e9, high = end_of(points[i], 1) / 1e9;
        fprintf(data, "%.6g %.6g %.6g %.6g %.0f %d\n", view_number(points[i], "bytes") / 1e6, rate,
                end_of(points[i], 0) / 1e9, high, view_number(points[i], "times"), view_flag(points[i], "cold"));
        most = fmax(most, fmax(rate, high));
    }
    const json_t *last = points[count - 1];
    double stated = view_number(last, "stated_bytes") / 1e6, pool = view_number(last, "pool_bytes") / 1e6;
    fprintf(settings, "width = 720\nheight = 430\nnarrow_height = 380\ny_max = %g\nx_min = %g\nx_max = %g\n",
            1.2 * most, 0.7 * view_number(points[0], "bytes") / 1e6,
            1.45 * fmax(view_number(last, "bytes") / 1e6, pool > 0 ? pool : 0));
    fprintf(settings, "stated_mb = %g\npool_mb = %g\nthreads = %.0f\n", stated > 0 ? stated : 0, pool > 0 ? pool : 0,
            view_number(last, "threads"));
    free(points);
    return 0;
}

const struct figure figure_pool = {
    .name = "pool",
    .title = "Is cold cold? Reading more memory than the caches hold, again and again",
    .caption =
        "The bandwidth of the widest team over pools of one to eight times the last-level caches that the machine "
        "states, and over larger ones until it stops falling; each part of a pool was last read a whole lap before. "
        "Bars are 95% intervals of the median. Filled points are cold: no larger pool is read more slowly by 5% or "
        "more. A hypervisor may state less cache than there is; then the curve goes on falling beyond the stated "
        "size. The pool that cold cells rotate through is the first filled one, or four times the stated caches if "
        "that is more.",
    .units = "MB (1e6 bytes) of all threads; GB/s (1e9 bytes per second) of the team",
    .lacking = "curve of pools of growing size",
    .measured_by = "kneepoint characterize",
    .rank = 28,
    .section = FIGURE_MEMORY,
    .needs = NEEDS(VIEW_POOL),
    .write = write,
};
