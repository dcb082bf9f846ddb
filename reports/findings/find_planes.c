/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/gemm_cells.h"
#include "reports/select/papers/schemes.h"

enum { PLANES = 64 };

static double planes_ratio(const struct view *view, bool narrow, struct scheme_bits bits,
                           const struct scheme_query *query)
{
    struct scheme_cell planes = scheme_planes_fastest(view, bits, query);
    struct scheme_cell integers = narrow ? scheme_integers_fastest(view, bits.weights, query)
                                         : scheme_fastest(view, &schemes[SCHEME_INT8], query);
    return scheme_ops_per_s(&planes) / scheme_ops_per_s(&integers);
}

static void say_ratio(struct finding *finding, double ratio)
{
    if (ratio > 0)
        say_row(finding, "\t%.2f", ratio);
    else
        say_row(finding, "\t");
}

/* Whether planes are faster in all that was measured, in none or in some of it. */
static const char *said_of(const double ratios[3])
{
    size_t known = 0, won = 0;
    for (size_t i = 0; i < 3; i++) {
        known += ratios[i] > 0;
        won += ratios[i] >= 1;
    }
    return !won ? "no" : won == known ? "yes" : "in part";
}

/* A row for each pair of bits that was measured beside integers. most: tokens of the largest product, in the query. */
static void say_of(struct facts *facts, struct finding **finding, const struct scheme_query *most)
{
    static const char *const headings[] = {
        "product", "machine", "#tokens", "#against int8", "#against the narrowest integers", "#the same with 1 token",
        "faster",  NULL};
    struct scheme_bits bits[PLANES];
    struct scheme_query one = *most;
    one.n = 1;
    size_t count = scheme_planes(facts->view, most->machine, bits, PLANES);
    for (size_t i = 0; i < count; i++) {
        const double ratios[3] = {planes_ratio(facts->view, false, bits[i], most),
                                  planes_ratio(facts->view, true, bits[i], most),
                                  most->n > 1 ? planes_ratio(facts->view, true, bits[i], &one) : NAN};
        if (!(ratios[0] > 0 || ratios[1] > 0 || ratios[2] > 0))
            continue;
        if (!*finding &&
            !(*finding = finding_begin(facts, FIGURE_GEMM, "Where counting bits beats multiplying integers")))
            return;
        finding_table(
            *finding, headings,
            "Products of bit planes (W planes of weights, A planes of activations): how many times as fast as "
            "integers. The narrowest integers are the fastest ones that hold the weights.");
        say_row(*finding, "W%uA%u\t%s\t%g", bits[i].weights, bits[i].activations, scheme_machine_titles[most->machine],
                most->n);
        for (size_t r = 0; r < 3; r++)
            say_ratio(*finding, ratios[r]);
        say_row(*finding, "\t%s\n", said_of(ratios));
    }
}

void find_planes(struct facts *facts)
{
    const struct view *view = facts->view;
    struct finding *finding = NULL;
    struct scheme_query query = {CELLS_REFERENCE_M, CELLS_REFERENCE_K, 0, scheme_team(view), MACHINES};
    const struct gemm_query all = {.m = query.m, .k = query.k, .threads = query.threads, .cold = true};
    double tokens[GEMM_CELLS_TOKENS];
    size_t count = query.threads ? gemm_cells_tokens(view, &all, tokens) : 0;
    for (enum scheme_machine machine = 0; count && machine < MACHINES; machine++) {
        query.machine = machine;
        query.n = tokens[count - 1];
        if (scheme_machine_measured(view, machine))
            say_of(facts, &finding, &query);
    }
}
