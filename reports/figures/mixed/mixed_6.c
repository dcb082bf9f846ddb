/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/papers/mixed.h"

/* Formats with outliers, and the ways that their products are added. */
enum { RATIOS = 5, WAYS = 2, TEAMS = 2, STATED = 2 };

static const struct {
    double percent;
    const char *format;
} ratios[RATIOS] = {
    {0, "mixed24"}, {0.2, "mixed24_o02"}, {0.5, "mixed24_o05"}, {1.5, "mixed24_o15"}, {3, "mixed24_o30"}};

static const struct {
    const char *title, *sequence;
    unsigned colour;
} ways[WAYS] = {{"in the same pass", "outliers_fused", 0x0072b2}, {"in a second pass", "outliers_after", 0xd55e00}};

static const json_t *cell_of(const struct view *view, size_t ratio, const char *sequence, unsigned threads)
{
    const struct token_kernel kernel = {ratios[ratio].format,
                                        ratio ? sequence : mixed_columns[MIXED_DENSE].kernel.sequence};
    return mixed_gemv(view, &kernel, CELLS_REFERENCE_M, CELLS_REFERENCE_K, threads);
}

/* One block: a way, over the ratios. @return how many points have outliers */
static size_t write_way(const struct view *view, size_t way, unsigned threads, FILE *data)
{
    const json_t *dense = cell_of(view, 0, NULL, threads);
    size_t points = 0;
    fprintf(data, "# %s, %u threads: outliers in percent, share of speed kept, low, high, us, kernel\n",
            ways[way].title, threads);
    for (size_t r = 0; r < RATIOS; r++) {
        const json_t *cell = cell_of(view, r, ways[way].sequence, threads);
        const struct bounded kept = r ? best_ratio(cell, dense) : (struct bounded){1, NAN, NAN};
        if (!cell || !(kept.value > 0))
            continue;
        points += r > 0;
        gnuplot_write_row(data, view_text(cell, "name"), "%g %.4g %.4g %.4g %.4g ", ratios[r].percent, kept.value,
                          kept.low, kept.high, 1e6 * view_median(cell, "time_s"));
    }
    gnuplot_end_block(data, points, 5, 1);
    return points;
}

/* One block: what is left of the speed if only the bytes counted. @return whether there is any but that of none */
static size_t write_bytes(const struct view *view, unsigned threads, FILE *data)
{
    const double dense = view_number(cell_of(view, 0, NULL, threads), "packed_bytes");
    size_t points = 0;
    fputs("# outliers in percent, packed bytes without them over those with\n", data);
    for (size_t r = 0; r < RATIOS; r++) {
        const json_t *cell = cell_of(view, r, ways[0].sequence, threads);
        const double share =
            dense / view_number(cell ? cell : cell_of(view, r, ways[1].sequence, threads), "packed_bytes");
        if (share > 0)
            fprintf(data, "%g %.4g\n", ratios[r].percent, share);
        points += share > 0 && r > 0;
    }
    gnuplot_end_block(data, points, 2, 0);
    return points;
}

static int write_stated(FILE *data)
{
    struct papers papers;
    char why[256];
    int error = papers_open(MIXED_PAPER, &papers, why, sizeof why);
    fputs("# the paper: outliers in percent, share of speed kept\n", data);
    for (size_t i = 0; !error && i < STATED; i++)
        fprintf(data, "%g %.4g\n", papers_column_value(&papers, MIXED_PAPER, "outlier_ratio", i),
                1 - papers_column_value(&papers, MIXED_PAPER, "outlier_slower", i) / 100);
    papers_free(&papers);
    return error;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned teams[TEAMS];
    const size_t count = mixed_teams(view, teams);
    size_t points = 0;
    for (size_t t = 0; t < count; t++) {
        for (size_t w = 0; w < WAYS; w++)
            points += write_way(view, w, teams[t], data);
        write_bytes(view, teams[t], data);
    }
    if (!points)
        return -ENODATA;
    fprintf(settings, "width = 1080\nheight = 500\nnarrow_height = %zu\npanels = %zu\nways = %d\n", 150 + 260 * count,
            count, WAYS);
    set_texts(settings, "panel_title", count, t, "this host, %u thread%s", teams[t], plural(teams[t]));
    set_texts(settings, "way_title", WAYS, w, "%s", ways[w].title);
    set_colours(settings, "way_colour", WAYS, w, ways[w].colour);
    return write_stated(data);
}

const struct figure figure_mixed_6 = {
    .name = "mixed_6",
    .title = "What sparse outliers cost, 4096×4096 [mixed-2-4-16, Fig. 6]",
    .caption =
        "How much of its speed the GEMV of 2- and 4-bit groups (mixed24) keeps, weights from memory, if a share of "
        "the weights is also stored as a 16-bit value with its column. Their products are added panel by panel within "
        "the same pass (fused), or in a second pass over them, which the paper does with a library for sparse "
        "matrices. The dotted line is the effect of the additional bytes alone. All but that line is measured here, "
        "with 95% intervals. Diamonds are the paper's, on an RTX 3090: 20% slower with 0.5%, of which it says that it "
        "is the launch of a second kernel and the same for fewer, 30% with 1.5%. A CPU launches nothing.",
    .units = "percent of the weights; share of the speed without outliers",
    .rank = 90,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of 4096x4096 by mixed24.lanes and a format with outliers",
    .measured_by = "kneepoint gemv --cold mixed24.lanes mixed24_o02 mixed24_o05 mixed24_o15 mixed24_o30",
    .paper = MIXED_PAPER,
    .write = write,
};
