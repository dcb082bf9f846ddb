/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/select/run/reported.h"

/* Of every width a bar for our sequence of least gamma and one for the least that others have published, with the main columns of the
 * table of gamma next to it, which has all sequences. */
enum { BARS = 64, ROW_HEIGHT = 21 };

/* The longest of the bars and their marks, fmax leaving out what is not known. */
static double longest(const json_t *const *rows, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(fmax(most, view_median(rows[i], "gamma")),
                    fmax(view_number(rows[i], "claimed"), view_number(rows[i], "mca_gamma")));
    return most;
}

/* @param cut  where an interval that goes on is cut. @return how far to the right the bar, its interval and its marks reach */
static double write_bar(const json_t *row, size_t place, double cut, FILE *data)
{
    char text[160];
    double gamma = view_median(row, "gamma");
    snprintf(text, sizeof text, "%.3f   %.3g uops, %.2f per cycle   %.20s   knee %.3g", gamma,
             view_number(row, "uops_per_vector"), view_number(row, "uops_per_cycle"), view_text(row, "bound"),
             view_number(row, "knee"));
    const json_t *interval = json_object_get(json_object_get(row, "gamma"), "ci95");
    fprintf(data, "%zu %.6g %.6g %.6g %.6g %.6g 0x%06x ", place, gamma, json_number_value(json_array_get(interval, 0)),
            json_number_value(json_array_get(interval, 1)), view_number(row, "claimed"), view_number(row, "mca_gamma"),
            figure_colour(view_format_bits(row)));
    gnuplot_write_field(data, view_text(row, "name"));
    fputc(' ', data);
    gnuplot_write_field(data, text);
    double right = fmax(fmin(json_number_value(json_array_get(interval, 1)), cut), gamma);
    right = fmax(right, fmax(view_number(row, "claimed"), view_number(row, "mca_gamma")));
    fprintf(data, " %.6g\n", right);
    return right;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const json_t *rows[BARS];
    size_t count = reported_best_gammas(view, rows, BARS);
    const double most = longest(rows, count), cut = 1.3 * most;
    double right = 0;
    bool claimed = false, predicted = false;
    if (!count)
        return -ENODATA;
    fputs("# place, gamma (core cycles per vector), lowest, highest of its 95% interval, claimed, by llvm-mca, colour, "
          "sequence, text, place of the text\n",
          data);
    for (size_t i = 0; i < count; i++) {
        right = fmax(right, write_bar(rows[i], i + 1, cut, data));
        claimed |= isfinite(view_number(rows[i], "claimed"));
        predicted |= isfinite(view_number(rows[i], "mca_gamma"));
    }
    fprintf(settings, "claimed = %d\npredicted = %d\nright = %g\n", claimed, predicted, right);
    fprintf(settings, "bars = %zu\ncut = %g\nx_max = %g\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n", count, cut,
            right + 1.1 * most, 150 + ROW_HEIGHT * count, 114 + 17 * count);
    return 0;
}

const struct figure figure_gamma_bars = {
    .name = "gamma_bars",
    .title = "γ of every width: core cycles per vector of 32 weights, loads excluded",
    .caption =
        "For each width, our sequence that takes the fewest cycles and the fastest published one, at its best number "
        "of accumulators; wide weights first. To the right of the bar: γ, uops per vector and "
        "per cycle, what binds, and the knee B/γ in bytes per cycle. Crosses are what the source claims, bars what "
        "llvm-mca predicts, where either is known. An interval that is longer than the picture is cut.",
    .units = "core cycles per output vector of 32 weights",
    .lacking = "best γ of a sequence",
    .measured_by = "kneepoint gamma",
    .rank = 41,
    .section = FIGURE_SEQUENCES,
    .needs = NEEDS(VIEW_GAMMA),
    .write = write,
};
