/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/kernels/gemm_cells.h"
#include "reports/select/kernels/models.h"

enum { WIDTHS = 3, GPUS = 2, TOKENS = 1024 };

static const double widths[WIDTHS] = {8, 2, 1};
static const char *const gpus[GPUS] = {"LNL GPU, 2-bit", "B580, 2-bit"};

/** Operations per second of the team that multiplying alone allows the cell: of its instruction set, with its operands in registers. */
static double peak_of(const json_t *gemm)
{
    double team_hz = view_median(gemm, "ops_per_s") / view_median(gemm, "ops_per_cycle"); /* of one core times cores */
    return view_number(gemm, "multiply_roof_ops_per_cycle") * team_hz;
}

/** The highest that any instruction set reached, of 8 bits and less: floats multiply something else. */
static double peak(const struct view *view, const struct gemm_query *query)
{
    double most = NAN;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        if (gemm_cells_match(row, query) && view_format_bits(row) <= 8)
            most = fmax(most, peak_of(row));
    }
    return most;
}

/** Places of bars that are not there: measured, but not known which kernel is the fastest. */
struct unknown {
    double at[WIDTHS * SHAPES_MAX], bits[WIDTHS * SHAPES_MAX];
    size_t count;
};

struct share {
    double percent, weights; /* of the largest shape that was measured with the width */
    char title[96];
};

/** One block: a group of bars for each shape. @return the highest in Top/s, 0 for none */
static double write_shapes(const struct view *view, struct gemm_query query, const struct shape *shapes, size_t count,
                           double peak_ops_per_s, struct share shares[WIDTHS], struct unknown *unknown, FILE *data)
{
    double most = 0;
    fputs("# place, Top/s with 8-bit, 2-bit, 1-bit weights, share of the peak of each, shape, model, kernels\n", data);
    for (size_t s = 0; s < count; s++) {
        const json_t *fastest[WIDTHS];
        query.m = (double)shapes[s].m;
        query.k = (double)shapes[s].k;
        fprintf(data, "%zu", s + 1);
        for (size_t w = 0; w < WIDTHS; w++) {
            query.format_bits = widths[w];
            struct best best = gemm_cells_best(view, &query);
            fastest[w] = best.known ? best.row : NULL;
            if (best.row && !best.known) {
                unknown->bits[unknown->count] = widths[w];
                unknown->at[unknown->count++] = (double)(s + 1) + 0.27 * ((double)w - 1);
            }
            double attained = view_median(fastest[w], "ops_per_s");
            fprintf(data, " %.6g", attained / 1e12);
            most = fmax(most, attained / 1e12);
            if (attained > 0 && query.m * query.k >= shares[w].weights) {
                shares[w].percent = 100 * attained / peak_ops_per_s;
                shares[w].weights = query.m * query.k;
            }
        }
        for (size_t w = 0; w < WIDTHS; w++)
            fprintf(data, " %.4g", 100 * view_median(fastest[w], "ops_per_s") / peak_ops_per_s);
        fprintf(data, " \"%zux%zu\" \"%s\"", shapes[s].m, shapes[s].k, shapes[s].model);
        for (size_t w = 0; w < WIDTHS; w++) {
            fputc(' ', data);
            gnuplot_write_field(data, fastest[w] ? view_text(fastest[w], "name") : "none");
        }
        fputc('\n', data);
    }
    fputs("\n\n", data);
    return most;
}

/** One block: shares of a peak, here with the largest shape and in the paper. @return how many bars */
static size_t write_shares(const struct share shares[WIDTHS], FILE *settings, FILE *data)
{
    struct papers papers;
    struct share bars[WIDTHS + GPUS];
    unsigned colours[WIDTHS + GPUS];
    char why[256];
    size_t count = 0;
    for (size_t w = 0; w < WIDTHS; w++) {
        if (!(shares[w].percent > 0))
            continue;
        colours[count] = figure_colour(widths[w]);
        bars[count] = shares[w];
        snprintf(bars[count++].title, sizeof bars[0].title, "here, %g-bit", widths[w]);
    }
    int error = papers_open("envelope", &papers, why, sizeof why);
    for (size_t g = 0; !error && g < GPUS; g++) {
        double int2 = papers_column_value(&papers, "envelope", "gemm_int2_gpu", g);
        double int8 = papers_column_value(&papers, "envelope", "gemm_int8_gpu", g);
        if (!(int2 > 0 && int8 > 0))
            continue;
        colours[count] = 0x999999;
        bars[count].percent = 100 * int2 / int8;
        snprintf(bars[count++].title, sizeof bars[0].title, "%s", gpus[g]);
    }
    papers_free(&papers);
    fputs("# place, percent, what\n", data);
    for (size_t b = 0; b < count; b++) {
        fprintf(data, "%zu %.4g ", b + 1, bars[b].percent);
        gnuplot_write_field(data, bars[b].title);
        fputc('\n', data);
    }
    fputs("\n\n", data);
    set_texts(settings, "share_title", count, b, bars[b].title);
    set_colours(settings, "share_colour", count, b, colours[b]);
    return count;
}

/** The shapes of the paper's models that a GEMM was measured on. */
static size_t measured_shapes(const struct view *view, const struct gemm_query *query, struct shape shapes[SHAPES_MAX])
{
    size_t total = models_timed_by("envelope, Fig. 5-8", shapes), count = 0;
    for (size_t i = 0; i < total; i++) {
        struct gemm_query of = *query;
        double tokens[GEMM_CELLS_TOKENS];
        of.m = (double)shapes[i].m;
        of.k = (double)shapes[i].k;
        if (gemm_cells_tokens(view, &of, tokens))
            shapes[count++] = shapes[i];
    }
    return count;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct gemm_query query = gemm_cells_reference(view);
    struct shape shapes[SHAPES_MAX];
    struct share shares[WIDTHS] = {{0}};
    struct unknown unknown = {.count = 0};
    query.m = query.k = 0;
    query.n = TOKENS;
    size_t count = measured_shapes(view, &query, shapes);
    double limit = peak(view, &query);
    double most = count ? write_shapes(view, query, shapes, count, limit, shares, &unknown, data) : 0;
    if (!(most > 0))
        return -ENODATA;
    size_t bars = write_shares(shares, settings, data);
    fprintf(settings, "heading = heading.', %u thread%s'\nshapes = %zu\nshares = %zu\npeak = %.6g\ny_max = %.6g\n",
            query.threads, query.threads == 1 ? "" : "s", count, bars, limit > 0 ? limit / 1e12 : 0,
            1.2 * fmax(most, limit / 1e12));
    struct settings_array titles = settings_texts(settings, "shape_title", count);
    for (size_t i = 0; i < count; i++) {
        char title[48];
        snprintf(title, sizeof title, "%zu×%zu", shapes[i].m, shapes[i].k);
        array_text(&titles, title);
    }
    set_numbers(settings, "unknown_at", unknown.count, i, unknown.at[i]);
    set_numbers(settings, "unknown_bits", unknown.count, i, unknown.bits[i]);
    fprintf(settings, "unknowns = %zu\n", unknown.count);
    for (size_t w = 0; w < WIDTHS; w++)
        fprintf(settings, "colour_%.0f = 0x%06x\nhas_%.0f = %d\n", widths[w], figure_colour(widths[w]), widths[w],
                shares[w].percent > 0);
    fputs("width = 1080\nheight = 540\nnarrow_height = 650\n", settings);
    return 0;
}

const struct figure figure_envelope_9_11 = {
    .name = "envelope_9_11",
    .title = "GEMM of 1,024 tokens by weight shape, against the measured peak [envelope, Fig. 9 and 11]",
    .caption =
        "Left, operations per second (a multiply and an add count two) of the fastest valid kernel of each width, its "
        "largest team, on the shapes of the paper's models. The dotted line is the peak that was measured here: the "
        "highest rate of multiplying 8-bit integers with operands in registers, of the instruction sets that these "
        "kernels use. Not known: too few samples of several kernels were kept to choose the fastest. Right, the share "
        "of the peak with the largest shape of each width. The paper's kernels run on GPUs: the 2-bit GEMM on the one "
        "of Lunar Lake attained 47 TFLOPS where the library's 8-bit one attained 53, and on a B580 175 TFLOPS of "
        "about 200 that its 8-bit units can do.",
    .units = "Top/s (1e12 operations per second); percent",
    .lacking = "GEMMs of 1,024 tokens on the shapes of falcon3-1b, llama3-8b or mobilellm-1.5b",
    .measured_by = "kneepoint gemm --tokens=1024 --model=llama3-8b",
    .rank = 63,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .write = write,
};
