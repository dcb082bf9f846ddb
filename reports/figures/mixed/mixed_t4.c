/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/mixed.h"

/* Shares of 4 bits that Table 4 has, ways to choose what has them, and stacks of layers. */
enum { SHARES = 2, METHODS = 3, SPREADS = 16 };

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

/* A share: the methods over the stacks. @return whether there is an error of any */
static bool add_share(struct bar_panels *bars, size_t share, const double *spreads, size_t count)
{
    bars_panel(bars, "error of the output", "%s", shares[share].title);
    for (size_t s = 0; s < count; s++) {
        bars_group(bars, "unequal|by %g", spreads[s]);
        for (size_t m = 0; m < METHODS; m++) {
            const json_t *row = row_of(bars->view, m, shares[share].share, spreads[s]);
            const struct bar bar = {
                .value = view_number(row, "output_error"), .colour = methods[m].colour, .key = methods[m].title};
            bars_add(bars, &bar, "%s, unequal by %g: error %.4g at %.3g bits", methods[m].title, spreads[s], bar.value,
                     view_number(row, "bits"));
        }
    }
    return bars->bars > 0;
}

/* Perplexities of the paper, of whole layers and of groups. */
static void add_stated(struct bar_panels *bars)
{
    static const struct {
        const char *input, *title;
        size_t method;
    } stated[] = {{"other", "whole layers", 0}, {"ours", "groups", METHODS - 1}};
    bars_panel(bars, "perplexity", "the paper, Llama2-7b");
    for (size_t s = 0; s < SHARES; s++) {
        const struct papers_claim *claim = papers_claim_of(&bars->papers, MIXED_PAPER, shares[s].claim);
        bars_group(bars, "%.0f%%|in 4 bits", 100 * shares[s].share);
        for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
            struct bar bar = {papers_claim_input(claim, stated[i].input), .colour = methods[stated[i].method].colour};
            snprintf(bar.text, sizeof bar.text, "%.2f", bar.value);
            bars_add(bars, &bar, "the paper, %s: perplexity %.3g", stated[i].title, bar.value);
        }
    }
}

static void add(struct bar_panels *bars)
{
    double spreads[SPREADS];
    bool any = false;
    const size_t count = spreads_of(bars->view, spreads);
    for (size_t s = 0; s < SHARES; s++)
        any |= add_share(bars, s, spreads, count);
    if (any)
        add_stated(bars);
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
    .rank = 95,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_MIXED),
    .lacking = "quantized stacks of layers without outliers",
    .measured_by = "kneepoint quantize --mixed --weights=stack --into=RUN",
    .paper = MIXED_PAPER,
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = SHARES + 1, .plot_height = 270},
};
