/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/papers/schemes.h"

enum { TABLES = 3, SHAPES = 3 };

static const char paper[] = "apt-llm";

/* Tables II to IV. The paper's M are tokens, its N the rows of the weights. */
static const struct table {
    const char *title, *values; /* of its columns */
    double tokens;
    struct {
        double m, k;
        const char *title;
    } shapes[SHAPES];
} tables[TABLES] = {
    {"64 tokens, square weights (Table II, Fig. 9)",
     "ii",
     64,
     {{1024, 1024, "1024×1024"}, {2048, 2048, "2048×2048"}, {4096, 4096, "4096×4096"}}},
    {"64 tokens, weights of Llama3-8B (Table III, Fig. 10)",
     "iii",
     64,
     {{1024, 4096, "1024×4096"}, {14336, 4096, "14336×4096"}, {4096, 14336, "4096×14336"}}},
    {"1 token, weights of Llama3-8B (Table IV, Fig. 11)",
     "iv",
     1,
     {{1024, 4096, "1024×4096"}, {14336, 4096, "14336×4096"}, {4096, 14336, "4096×14336"}}},
};

/* Places of the bars: those of a shape side by side, a gap between shapes. */
static double place_of(size_t shape, size_t scheme)
{
    return (double)(shape * (SCHEMES + 2) + scheme);
}

/* Seconds of FP16 over those of a scheme, as the paper's table has them; NaN where it has none. */
static double stated_ratio(const struct papers *papers, const struct table *table, const struct scheme *scheme,
                           size_t shape)
{
    char fp16[32], own[32];
    if (!scheme->column)
        return NAN;
    snprintf(fp16, sizeof fp16, "%s_fp16", table->values);
    snprintf(own, sizeof own, "%s_%s", table->values, scheme->column);
    return papers_column_value(papers, paper, fp16, shape) / papers_column_value(papers, paper, own, shape);
}

/* One line: a bar and the paper's mark. */
static void write_bar(const struct table *table, size_t shape, size_t scheme, const struct scheme_cell *cell,
                      double f16, double ratio, FILE *data)
{
    char what[96];
    double ops = scheme_ops_per_s(cell);
    snprintf(what, sizeof what, "%s, %s, %g token%s", schemes[scheme].title, table->shapes[shape].title, table->tokens,
             table->tokens == 1 ? "" : "s");
    /* 0 for what is not there: gnuplot compares nothing with NaN */
    fprintf(data, "%g %.5g %.5g %.4g %.4g %d 0x%06x ", place_of(shape, scheme), ops > 0 ? ops / 1e12 : 0,
            ratio * f16 > 0 ? ratio * f16 / 1e12 : 0, ops / f16 > 0 ? ops / f16 : 0, ratio > 0 ? ratio : 0, cell->known,
            schemes[scheme].colour);
    gnuplot_write_field(data, what);
    fputc(' ', data);
    gnuplot_write_field(data, cell->row ? view_text(cell->row, "name") : "none");
    fputc('\n', data);
}

/* One block. @return the highest that is drawn, in Top/s; 0: nothing of planes was measured */
static double write_table(const struct view *view, const struct papers *papers, const struct table *table,
                          unsigned threads, FILE *data)
{
    double most = 0;
    bool planes = false;
    fprintf(
        data,
        "# %s: place, Top/s, where the paper's ratio to FP16 would be, ratio to f16 here, the paper's, 1 if known to be the "
        "fastest, colour, what, kernel\n",
        table->title);
    for (size_t shape = 0; shape < SHAPES; shape++) {
        struct scheme_query query = {table->shapes[shape].m, table->shapes[shape].k, table->tokens, threads, MACHINES};
        struct scheme_cell f16 = scheme_fastest(view, &schemes[SCHEME_F16], &query);
        double base = scheme_ops_per_s(&f16);
        for (size_t s = 0; s < SCHEMES; s++) {
            struct scheme_cell cell = scheme_fastest(view, &schemes[s], &query);
            double ratio = stated_ratio(papers, table, &schemes[s], shape);
            write_bar(table, shape, s, &cell, base, ratio, data);
            planes |= cell.row && schemes[s].bits.weights;
            most = fmax(most, fmax(scheme_ops_per_s(&cell), ratio * base) / 1e12);
        }
    }
    fputs("\n\n", data);
    return planes ? most : 0;
}

static void write_titles(const double *most, FILE *settings)
{
    size_t drawn = 0;
    for (size_t t = 0; t < TABLES; t++)
        drawn += most[t] > 0;
    fprintf(settings, "panels = %zu\nshapes = %d\nschemes = %d\n", drawn, SHAPES, SCHEMES);
    struct settings_array titles = settings_texts(settings, "panel_title", drawn);
    for (size_t t = 0; t < TABLES; t++) {
        if (most[t] > 0)
            array_text(&titles, tables[t].title);
    }
    struct settings_array tops = settings_numbers(settings, "panel_most", drawn);
    for (size_t t = 0; t < TABLES; t++) {
        if (most[t] > 0)
            array_number(&tops, most[t]);
    }
    struct settings_array blocks = settings_numbers(settings, "panel_block", drawn);
    for (size_t t = 0; t < TABLES; t++) {
        if (most[t] > 0)
            array_number(&blocks, (double)t);
    }
    struct settings_array shapes = settings_texts(settings, "shape_title", drawn * SHAPES);
    for (size_t t = 0; t < TABLES; t++) {
        for (size_t s = 0; most[t] > 0 && s < SHAPES; s++)
            array_text(&shapes, tables[t].shapes[s].title);
    }
    set_numbers(settings, "shape_at", SHAPES, s, place_of(s, 0) + (SCHEMES - 1) / 2.0);
    set_texts(settings, "scheme_title", SCHEMES, s, schemes[s].title);
    set_colours(settings, "scheme_colour", SCHEMES, s, schemes[s].colour);
    fprintf(settings, "places = %g\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n", place_of(SHAPES - 1, SCHEMES),
            190 + 250 * drawn, 230 + 230 * drawn);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct papers papers;
    char why[256];
    double most[TABLES] = {0};
    unsigned threads = scheme_team(view);
    int error = papers_open(paper, &papers, why, sizeof why);
    for (size_t t = 0; !error && t < TABLES; t++)
        most[t] = write_table(view, &papers, &tables[t], threads, data);
    papers_free(&papers);
    if (error)
        return error;
    if (!(most[0] > 0 || most[1] > 0 || most[2] > 0))
        return -ENODATA;
    fprintf(settings, "heading = heading.', %u thread%s'\n", threads, threads == 1 ? "" : "s");
    write_titles(most, settings);
    return 0;
}

const struct figure figure_apt_9_11 = {
    .name = "apt_9_11",
    .title = "Products of planes, floats and integers [apt-llm, Tables II-IV, Fig. 9-11]",
    .caption =
        "Operations per second (a multiply and an add count two, whatever the width) of the fastest valid kernel of "
        "each kind, weights from memory. W1A2 multiplies 1-bit weights with 2-bit activations as planes, W1A1 is what "
        "the paper calls INT1. The int8, int4, int2 and int1 weights are multiplied with 8-bit activations, which "
        "carry more than those of 1 to 4 bits. A diamond is the paper's speed-up over FP16 on an RTX 3090, applied to "
        "our f16 or bf16: if it lies below the top of a bar, this CPU gains more over its own floats than that GPU "
        "did; if above, less. Its FP16 takes 2.4 times what its memory allows at 1/14k/4k (kneepoint papers apt-llm), "
        "which lifts the diamonds there. A pale bar may not be the fastest: too few samples of several kernels were "
        "kept to choose.",
    .units = "Top/s (1e12 operations per second)",
    .lacking = "products of planes (w1, w2, w3) on the shapes of the paper's tables",
    .measured_by =
        "kneepoint gemm --threads=1 --tokens=1,64 --shape=1024x1024 --shape=2048x2048 --shape=4096x4096 w1 w2 w3 f32 bf16 int8_vnni4 --results=results",
    .rank = 70,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .write = write,
};
