/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/papers/mixed.h"

/* Shares of 4 bits that Table 4 has, ways to choose what has them, and stacks of layers. */
enum { SHARES = 2, METHODS = 3, SPREADS = 16, PAPERS = 2 };

static const struct {
    double share;
    const char *title, *claim;
} shares[SHARES] = {{0.10, "10% of the weights in 4 bits", "table-4-perplexity[10%]"},
                    {0.25, "25% in 4 bits", "table-4-perplexity[25%]"}};

static const struct {
    const char *title, *name;
    unsigned colour;
} methods[METHODS] = {{"whole layers, the first", "first_layers", 0x7f7f7f},
                      {"whole layers, where it gains most", "best_layers", 0xe69f00},
                      {"groups of columns, in each layer", "within", 0x0072b2}};

/* As in the table: without outliers, each group rounded on its own. */
static bool is_stack(const json_t *row)
{
    return strcmp(view_text(row, "weights"), "stack") == 0 && view_number(row, "outliers") == 0 &&
           !view_flag(row, "error_feedback") && view_number(row, "spread") >= 0;
}

static const json_t *row_of(const struct view *view, size_t method, double share, double spread)
{
    for (size_t i = 0; i < view->of[VIEW_MIXED].count; i++) {
        const json_t *row = view->of[VIEW_MIXED].rows[i];
        if (is_stack(row) && strcmp(view_text(row, "method"), methods[method].name) == 0 &&
            fabs(view_number(row, "four_bit") - share) < 1e-6 && view_number(row, "spread") == spread)
            return row;
    }
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* How unequal the layers of the stacks are, ascending, each once. */
static size_t spreads_of(const struct view *view, double spreads[SPREADS])
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_MIXED].count && count < SPREADS; i++) {
        const json_t *row = view->of[VIEW_MIXED].rows[i];
        bool known = !is_stack(row);
        for (size_t s = 0; s < count && !known; s++)
            known = spreads[s] == view_number(row, "spread");
        if (!known)
            spreads[count++] = view_number(row, "spread");
    }
    qsort(spreads, count, sizeof *spreads, by_size);
    return count;
}

/* One block: a method at a share, over the stacks. @return the largest error */
static double write_method(const struct view *view, size_t share, size_t method, const double *spreads, size_t count,
                           FILE *data)
{
    double most = 0;
    fprintf(data, "# %s, %s: place, error of the output, bits, spread\n", shares[share].title, methods[method].title);
    for (size_t s = 0; s < count; s++) {
        const json_t *row = row_of(view, method, shares[share].share, spreads[s]);
        const double error = view_number(row, "output_error");
        fprintf(data, "%.4f %.4g %.4g %g\n", mixed_place(s, method, METHODS), error, view_number(row, "bits"),
                spreads[s]);
        most = fmax(most, error);
    }
    fputs("\n\n", data);
    return most;
}

/* Two blocks: perplexities of the paper, of whole layers and of groups. */
static double write_stated(const struct papers *papers, FILE *data)
{
    static const char *const inputs[PAPERS] = {"other", "ours"};
    double most = 0;
    for (size_t i = 0; i < PAPERS; i++) {
        fprintf(data, "# the paper, %s: place, perplexity\n", inputs[i]);
        for (size_t s = 0; s < SHARES; s++) {
            const double value = papers_claim_input(papers_claim_of(papers, MIXED_PAPER, shares[s].claim), inputs[i]);
            fprintf(data, "%.4f %.4g 0 0\n", mixed_place(s, i, PAPERS), value);
            most = fmax(most, value);
        }
        fputs("\n\n", data);
    }
    return most;
}

static void write_settings(const double *spreads, size_t count, double most, double most_stated, FILE *settings)
{
    char title[48];
    fprintf(
        settings,
        "width = 1080\nheight = 470\nnarrow_height = 980\nshares = %d\nmethods = %d\nspreads = %zu\nerror_max = %.5g\n"
        "stated_max = %.4g\n",
        SHARES, METHODS, count, most, most_stated);
    set_texts(settings, "share_title", SHARES, s, shares[s].title);
    struct settings_array stacks = settings_texts(settings, "spread_title", count);
    for (size_t s = 0; s < count; s++) {
        snprintf(title, sizeof title, "%g", spreads[s]);
        array_text(&stacks, title);
    }
    set_texts(settings, "method_title", METHODS, m, methods[m].title);
    set_colours(settings, "method_colour", METHODS, m, methods[m].colour);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    double spreads[SPREADS], most = 0;
    struct papers papers;
    char why[256];
    const size_t count = spreads_of(view, spreads);
    for (size_t s = 0; count && s < SHARES; s++) {
        for (size_t m = 0; m < METHODS; m++)
            most = fmax(most, write_method(view, s, m, spreads, count, data));
    }
    if (!(most > 0))
        return -ENODATA;
    int error = papers_open(MIXED_PAPER, &papers, why, sizeof why);
    if (!error)
        write_settings(spreads, count, most, write_stated(&papers, data), settings);
    papers_free(&papers);
    return error;
}

const struct figure figure_mixed_t4 = {
    .name = "mixed_t4",
    .title = "4 bits for groups within each matrix, or for whole layers [mixed-2-4-16, Table 4]",
    .caption =
        "Synthetic layers, quantized to 2 and 4 bits with the same share of 4 bits, so that all take as many bits: "
        "the energy of the error of their outputs over that of the outputs, lower is better. The share goes to whole "
        "layers, either the first ones (the paper chooses its baseline by hand and does not say how) or those that "
        "gain most, which are not known beforehand; or to the most sensitive groups of columns within each layer. "
        "Along the axis layers count more and more unequally: the standard deviation of the logarithm of how large "
        "their outputs are, 0 where all count alike. Right, what the paper measured: perplexity of Llama2-7b on "
        "WikiText-2, another quantity, so only the order can be compared.",
    .units = "energy of the error over that of the output, no unit; perplexity",
    .rank = 94,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_MIXED),
    .lacking = "quantized stacks of layers without outliers",
    .measured_by = "kneepoint quantize --mixed --weights=stack --into=RUN",
    .write = write,
};
