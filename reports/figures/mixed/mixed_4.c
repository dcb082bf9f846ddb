/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/mixed.h"

/* What has a range: the groups that scales are for, and those that get their bits together. */
enum { KINDS = 2 };

static const struct {
    const char *title, *field;
    unsigned colour;
} kinds[KINDS] = {{"16 weights of a row", "rows", 0x56b4e9}, {"16 columns, mean over their rows", "columns", 0x0072b2}};

static const json_t *ranges_of(const json_t *row)
{
    const json_t *ranges = json_object_get(row, "ranges");
    return json_is_array(ranges) ? ranges : NULL;
}

/* The variants of a matrix have the same ranges: the first one counts. */
static bool is_first(const struct view *view, size_t i)
{
    const char *weights = view_text(view->of[VIEW_MIXED].rows[i], "weights");
    for (size_t j = 0; j < i; j++) {
        const json_t *before = view->of[VIEW_MIXED].rows[j];
        if (ranges_of(before) && strcmp(view_text(before, "weights"), weights) == 0)
            return false;
    }
    return true;
}

static void add_matrix(struct bar_panels *bars, const json_t *row)
{
    const char *weights = view_text(row, "weights"), *slash = strrchr(weights, '/');
    const char *title = slash ? slash + 1 : weights;
    const json_t *ranges = ranges_of(row);
    bars_panel(bars, "range, times the median", "%s", title);
    for (size_t i = 0; i < json_array_size(ranges); i++) {
        const json_t *at = json_array_get(ranges, i);
        const double share = 100 * view_number(at, "share");
        bars_group(bars, "%g%%", share);
        for (size_t k = 0; k < KINDS; k++) {
            const struct bar bar = {
                .value = view_number(at, kinds[k].field), .colour = kinds[k].colour, .key = kinds[k].title};
            bars_add(bars, &bar, "%s, %s: %g%% of the groups have at most %.3g times the median range", title,
                     kinds[k].title, share, bar.value);
        }
    }
}

static void add(struct bar_panels *bars)
{
    const struct view_rows *rows = &bars->view->of[VIEW_MIXED];
    for (size_t i = 0; i < rows->count && bars->panel_count < BAR_PANELS_MOST; i++) {
        if (ranges_of(rows->rows[i]) && is_first(bars->view, i))
            add_matrix(bars, rows->rows[i]);
    }
}

const struct figure figure_mixed_4 = {
    .name = "mixed_4",
    .title = "Range of weights by groups [mixed-2-4-16, Fig. 4]",
    .caption =
        "How unequal the groups of a matrix are: along the axis a share of the groups, and above it the range (largest less "
        "smallest weight) that so many do not exceed, over that of half of them. Pale are groups of 16 weights of a row, each with a "
        "scale of its own; dark is the mean over the rows of a group of 16 columns, which gets its bits as a whole. 4 bits for a "
        "few groups of columns are worth most where only the last dark bars are above 1, which the paper says of the weights that it "
        "looked at, and does not name. Each panel is a matrix that was quantized here: drawn from the distribution in its title, "
        "of which outliers has columns of large weights, or a user's file. No number here is the paper's.",
    .units = "range over that of half of the groups, no unit; percent of the groups",
    .rank = 89,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_MIXED),
    .lacking = "ranges of a quantized matrix",
    .measured_by = "kneepoint quantize --mixed --into=RUN",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add,
                                   .columns = 2,
                                   .plot_height = 200,
                                   .from_one = true,
                                   .one_axis = true,
                                   .shared = true,
                                   .under = "share of the groups"},
};
