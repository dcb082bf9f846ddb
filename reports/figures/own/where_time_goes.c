/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/time_parts.h"
#include "reports/select/run/reported.h"

/*
 * A bar a kernel: of every width our fastest, and the fastest published, on the reference shape; for one thread and for the
 * widest team of which enough is known, which chooses. Parts follow one another from zero to the right, those below zero to the left.
 */
enum { BARS = 128, TEAMS = 64, PANELS = 2, ROW_HEIGHT = 19, LEGEND_ROWS = 4 };

static const unsigned colours[TIME_PARTS] = {
    [TIME_MEMORY] = 0x0072b2,   [TIME_COMPUTE] = 0xe69f00, [TIME_ENDS] = 0x009e73,
    [TIME_PREFETCH] = 0xd55e00, [TIME_START] = 0xcc79a7,   [TIME_UNEXPLAINED] = 0x9a9a9a,
};

static bool is_of(const json_t *gemv, unsigned threads)
{
    const struct cell_query query = {.m = CELLS_REFERENCE_M, .k = CELLS_REFERENCE_K, .threads = threads, .cold = true};
    return cells_match(gemv, &query) && cells_is_valid(gemv);
}

static int by_width_and_name(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_bits(left) - view_bits(right);
    if (wider != 0)
        return wider > 0 ? 1 : -1;
    int format = strcmp(view_text(left, "format"), view_text(right, "format"));
    return format ? format : strcmp(view_text(left, "name"), view_text(right, "name"));
}

/* One more, unless there is none, it is there already, or not enough is known of it. */
static void add_kernel(const struct view *view, const json_t *gemv, const json_t **rows, size_t *count)
{
    struct time_parts parts;
    for (size_t i = 0; i < *count; i++) {
        if (reported_same(gemv, rows[i]))
            return;
    }
    if (gemv && *count < BARS && time_parts_of(view, gemv, &parts))
        rows[(*count)++] = gemv;
}

/* The kernels, each chosen on one half of its samples and with the numbers of the other. */
static size_t select_kernels(const struct view *view, unsigned threads, const json_t **rows)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        const struct cell_query query = {
            .family = row, .m = CELLS_REFERENCE_M, .k = CELLS_REFERENCE_K, .threads = threads, .cold = true};
        if (is_of(row, threads) && view_bits(row) > 0)
            add_kernel(view, best_gemv(view, &query).row, rows, &count);
    }
    qsort(rows, count, sizeof *rows, by_width_and_name);
    return count;
}

/*
 * The same kernel with a team; NULL: it was not measured, or not enough is known of it. With the one that it was chosen
 * with it has the numbers that it has not been chosen by.
 */
static const json_t *with_team(const struct view *view, const json_t *kernel, unsigned threads)
{
    if (view_number(kernel, "threads") == threads)
        return kernel;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        struct time_parts parts;
        if (is_of(row, threads) && strcmp(view_text(row, "name"), view_text(kernel, "name")) == 0 &&
            time_parts_of(view, row, &parts))
            return row;
    }
    return NULL;
}

static double omega_of(const json_t *gemv)
{
    double omega = view_number(gemv, "omega");
    return isfinite(omega) ? omega : view_number(gemv, "overlap");
}

/* One part of every bar, in percent of what was measured. @return how far the lowest bar reaches below zero */
static double write_part(const struct view *view, const json_t *const *rows, size_t count, unsigned threads,
                         enum time_part part, FILE *data)
{
    double lowest = 0;
    for (size_t i = 0; i < count; i++) {
        struct time_parts parts;
        const json_t *row = with_team(view, rows[i], threads);
        double low = 0, high = 0, width = NAN;
        if (row && time_parts_of(view, row, &parts)) {
            for (int before = 0; before < (int)part; before++) {
                double share = 100 * parts.of_s[before] / parts.total_s;
                *(share < 0 ? &low : &high) += share;
            }
            width = 100 * parts.of_s[part] / parts.total_s;
        }
        double from = width < 0 ? low + width : high, to = width < 0 ? low : high + width;
        lowest = fmin(lowest, from);
        gnuplot_write_row(data, view_text(rows[i], "name"), "%zu %.6g %.6g %.6g %.6g ", i + 1,
                          isfinite(width) ? from : 0, isfinite(width) ? to : 0, isfinite(width) ? width : 0,
                          isfinite(width) ? 1e6 * parts.of_s[part] : 0);
    }
    fputs("\n\n", data);
    return lowest;
}

/* What stands beside each bar: the time, omega, and what is not known of it. @return how far the bars reach */
static double write_totals(const struct view *view, const json_t *const *rows, size_t count, unsigned threads,
                           FILE *data)
{
    double right = 100;
    for (size_t i = 0; i < count; i++) {
        struct time_parts parts;
        char text[96] = "not measured";
        const json_t *row = with_team(view, rows[i], threads);
        double end = 0;
        if (row && time_parts_of(view, row, &parts)) {
            double omega = omega_of(row);
            int length = snprintf(text, sizeof text, "%.0f µs", 1e6 * parts.total_s);
            if (isfinite(omega))
                length += snprintf(text + length, sizeof text - (size_t)length, "  ω %.2f", omega);
            if (!parts.ends_known)
                snprintf(text + length, sizeof text - (size_t)length, " *");
            for (int part = 0; part < TIME_PARTS; part++)
                end += fmax(0, 100 * parts.of_s[part] / parts.total_s);
        }
        right = fmax(right, end);
        fprintf(data, "%zu %.6g ", i + 1, end);
        gnuplot_write_field(data, text);
        gnuplot_write_row(data, view_text(rows[i], "name"), " \"%.0f\" ", end > 0 ? 1e6 * parts.total_s : 0);
    }
    fputs("\n\n", data);
    return right;
}

/* How far the bars of a team reach to either side of zero, in percent. */
struct reach {
    double low, high;
};

/* Of the longest name of a kernel, in characters: so much room is left of the bars. */
static size_t longest_name(const json_t *const *rows, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t this = strlen(view_text(rows[i], "name"));
        length = this > length ? this : length;
    }
    return length;
}

static void write_settings(FILE *settings, const unsigned *teams, const struct reach *reach, size_t panels, size_t bars)
{
    set_texts(settings, "part_title", TIME_PARTS, part, "%s", time_part_name((enum time_part)part));
    set_colours(settings, "part_colour", TIME_PARTS, part, colours[part]);
    set_numbers(settings, "panel_threads", panels, t, teams[t]);
    set_numbers(settings, "panel_low", panels, t, reach[t].low);
    set_numbers(settings, "panel_high", panels, t, reach[t].high);
    size_t rows = bars > LEGEND_ROWS ? bars : LEGEND_ROWS; /* gnuplot has no legend higher than a plot */
    fprintf(settings, "parts = %d\npanels = %zu\nbars = %zu\nwidth = 1180\nheight = %zu\nnarrow_height = %zu\n",
            TIME_PARTS, panels, bars, 176 + ROW_HEIGHT * rows, 150 + 17 * rows);
}

/* Every part of every bar of a team. */
static struct reach write_team(const struct view *view, const json_t *const *rows, size_t count, unsigned threads,
                               FILE *data)
{
    struct reach reach = {0, 100};
    for (int part = 0; part < TIME_PARTS; part++) {
        fprintf(data, "# %u threads, %s: place, from, to, width (%% of the time measured), us, kernel\n", threads,
                time_part_name((enum time_part)part));
        reach.low = fmin(reach.low, write_part(view, rows, count, threads, (enum time_part)part, data));
    }
    fprintf(data, "# %u threads: place, end of the bar, text, us, kernel\n", threads);
    reach.high = fmax(reach.high, write_totals(view, rows, count, threads, data));
    return reach;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const json_t *rows[BARS];
    unsigned teams[TEAMS], drawn[PANELS];
    struct reach reach[PANELS];
    size_t team_count = view_teams(view, teams, TEAMS), count = 0;
    for (; team_count && !count; team_count -= !count)
        count = select_kernels(view, teams[team_count - 1], rows);
    if (!count)
        return -ENODATA;
    size_t panels = team_count > 1 ? PANELS : 1;
    drawn[0] = teams[0];
    drawn[panels - 1] = teams[team_count - 1];
    for (size_t t = 0; t < panels; t++)
        reach[t] = write_team(view, rows, count, drawn[t], data);
    fprintf(settings, "name_length = %zu\n", longest_name(rows, count));
    write_settings(settings, drawn, reach, panels, count);
    return 0;
}

const struct figure figure_where_time_goes = {
    .name = "where_time_goes",
    .title = "Where the time goes: cold GEMV 4096×4096, of every width our fastest kernel and the published one",
    .caption =
        "The measured time is 100%, the mark; the parts add up to it. Memory: packed bytes over β of the team. "
        "Compute not hidden: how much longer computing takes than that (the kernel's own time from L2 if its terms "
        "were measured, else γ times vectors). Panel and page ends: the cost of each, from the records of `kneepoint "
        "terms`, times their number. Prefetch distance: what another distance saves at least, from the same records. "
        "A time with a star has no such records, and both are in the grey part. Start and synchronisation: those of a "
        "call and its team. Unexplained: the rest, drawn to the left of zero if the parts overlap each other: nothing "
        "here is fitted. ω, the share of the shorter of reading and computing that hides, is what all but memory come "
        "to.",
    .units = "percent of the time measured; µs",
    .lacking = "cold GEMV on 4096x4096 with β and γ",
    .measured_by = "kneepoint gemv",
    .rank = 24,
    .section = FIGURE_MODEL,
    .needs = NEEDS(VIEW_BETA) | NEEDS(VIEW_GEMV),
    .write = write,
};
