/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"

/* Left the levels of the memory, right memory while other cores read: a curve a team. */
enum { TEAMS = 16, POINTS = 64 };

static bool is_idle(const json_t *row)
{
    return !(view_number(row, "readers") > 0);
}

static bool has_latency(const json_t *row)
{
    return view_median(row, "latency_s") > 0;
}

static double end_of_interval(const json_t *row, const char *field, size_t end)
{
    const json_t *value = json_array_get(json_object_get(json_object_get(row, field), "ci95"), end);
    return json_is_number(value) ? json_number_value(value) : view_median(row, field);
}

/* @return levels written; *most_ns is the longest */
static size_t write_levels(const struct view *view, FILE *data, double *most_ns)
{
    size_t count = 0;
    fputs("# place, ns, lowest, highest of its 95% interval, core cycles, level, text\n", data);
    for (size_t i = 0; i < VIEW_LEVELS; i++) {
        const json_t *row = view_idle_latency(view, view_levels[i]);
        char text[64];
        if (!row)
            continue;
        double cycles = view_median(row, "latency_cycles");
        int length = snprintf(text, sizeof text, "%.3g ns", 1e9 * view_median(row, "latency_s"));
        *most_ns = fmax(*most_ns, 1e9 * end_of_interval(row, "latency_s", 1));
        if (isfinite(cycles))
            snprintf(text + length, sizeof text - (size_t)length, ", %.3g cycles", cycles);
        fprintf(data, "%zu %.6g %.6g %.6g %.6g ", ++count, 1e9 * view_median(row, "latency_s"),
                1e9 * end_of_interval(row, "latency_s", 0), 1e9 * end_of_interval(row, "latency_s", 1),
                isfinite(cycles) ? cycles : 0);
        gnuplot_write_field(data, view_levels[i]);
        gnuplot_write_row(data, text, " ");
    }
    fputs("\n\n", data);
    return count;
}

static size_t find_readers(const struct view *view, double *readers)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_LATENCY].count && count < TEAMS; i++) {
        const json_t *row = view->of[VIEW_LATENCY].rows[i];
        size_t at = 0;
        while (at < count && readers[at] != view_number(row, "readers"))
            at++;
        if (!is_idle(row) && at == count)
            readers[count++] = view_number(row, "readers");
    }
    return count;
}

static int by_load(const void *a, const void *b)
{
    double x = view_median(*(const json_t *const *)a, "load_bytes_per_s"),
           y = view_median(*(const json_t *const *)b, "load_bytes_per_s");
    return (x > y) - (x < y);
}

/* Points of this many readers, from the idle one on. @return how many */
static size_t write_curve(const struct view *view, double readers, FILE *data)
{
    const json_t *rows[POINTS];
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_LATENCY].count && count < POINTS; i++) {
        const json_t *row = view->of[VIEW_LATENCY].rows[i];
        if (view_number(row, "readers") == readers && has_latency(row) && view_median(row, "load_bytes_per_s") > 0)
            rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, by_load);
    const json_t *idle = view_idle_latency(view, "memory");
    fputs("# GB/s that the readers attain, ns, lowest, highest of its 95% interval, pause\n", data);
    if (idle)
        fprintf(data, "0 %.6g %.6g %.6g -1\n", 1e9 * view_median(idle, "latency_s"),
                1e9 * end_of_interval(idle, "latency_s", 0), 1e9 * end_of_interval(idle, "latency_s", 1));
    for (size_t i = 0; i < count; i++)
        fprintf(data, "%.6g %.6g %.6g %.6g %.6g\n", 1e-9 * view_median(rows[i], "load_bytes_per_s"),
                1e9 * view_median(rows[i], "latency_s"), 1e9 * end_of_interval(rows[i], "latency_s", 0),
                1e9 * end_of_interval(rows[i], "latency_s", 1), view_number(rows[i], "pause"));
    gnuplot_end_block(data, idle || count, 5, 0);
    return count;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    double readers[TEAMS];
    double most_ns = 0;
    size_t bars = write_levels(view, data, &most_ns), curves = find_readers(view, readers);
    if (!bars)
        return -ENODATA;
    for (size_t i = 0; i < curves; i++)
        write_curve(view, readers[i], data);
    set_numbers(settings, "readers", curves, i, readers[i]);
    fprintf(settings, "bars = %zu\ncurves = %zu\nns_max = %g\nwidth = 1080\nheight = 430\nnarrow_height = 640\n", bars,
            curves, most_ns);
    return 0;
}

const struct figure figure_latency = {
    .name = "latency",
    .title = "Latency: of every level, and of memory while other cores read",
    .caption =
        "The time of a load that waits for the one before, in a chase through cache lines in random order. Left, for "
        "every level, on a core that has the machine to itself. Right, for memory while other cores read streams, "
        "with pauses that make them read less: the bandwidth that they attain together, and the time of a load "
        "meanwhile; at zero no other core reads. Bars are 95% intervals of the median.",
    .units = "ns; core cycles; GB/s (1e9 bytes per second)",
    .lacking = "latency of a level",
    .measured_by = "kneepoint characterize",
    .rank = 15,
    .section = FIGURE_MEMORY,
    .needs = NEEDS(VIEW_LATENCY),
    .write = write,
};
