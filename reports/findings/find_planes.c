/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/questions.h"
#include "reports/select/gemm_cells.h"
#include "reports/select/schemes.h"

enum { PLANES = 64 };

/* What planes are held against. */
struct against {
    const char *title;
    bool narrow; /* the fastest integers that hold the weights, else int8 */
};

static double ratio_of(const struct view *view, const struct against *against, struct scheme_bits bits,
                       const struct scheme_query *query)
{
    struct scheme_cell planes = scheme_planes_fastest(view, bits, query);
    struct scheme_cell integers = against->narrow ? scheme_integers_fastest(view, bits.weights, query)
                                                  : scheme_fastest(view, &schemes[SCHEME_INT8], query);
    return scheme_ops_per_s(&planes) / scheme_ops_per_s(&integers);
}

/* A row for each pair of bits that was measured beside them. */
static void say_of(struct facts *facts, struct finding **finding, const struct against *against,
                   const struct scheme_query *query)
{
    static const char *const headings[] = {"product", "machine", "#tokens", "against", "#times as fast", "", NULL};
    struct scheme_bits bits[PLANES];
    size_t count = scheme_planes(facts->view, query->machine, bits, PLANES);
    for (size_t i = 0; i < count; i++) {
        double ratio = ratio_of(facts->view, against, bits[i], query);
        if (!(ratio > 0))
            continue;
        if (!*finding &&
            !(*finding = finding_begin(facts, FIGURE_GEMM, "Where counting bits beats multiplying integers")))
            return;
        finding_table(*finding, headings,
                      "Products of planes, W of weights and A of activations, against the fastest integers.");
        say_row(*finding, "W%uA%u\t%s\t%g\t%s\t%.2f\t%s\n", bits[i].weights, bits[i].activations,
                scheme_machine_titles[query->machine], query->n, against->title, ratio,
                ratio >= 1 ? "wins" : "does not win");
    }
}

void find_planes(struct facts *facts)
{
    static const struct against others[] = {{"int8", false}, {"the fastest integers that hold the weights", true}};
    const struct view *view = facts->view;
    struct finding *finding = NULL;
    struct scheme_query query = {CELLS_REFERENCE_M, CELLS_REFERENCE_K, 0, scheme_team(view), MACHINES};
    const struct gemm_query all = {.m = query.m, .k = query.k, .threads = query.threads, .cold = true};
    double tokens[GEMM_CELLS_TOKENS];
    size_t count = query.threads ? gemm_cells_tokens(view, &all, tokens) : 0;
    for (enum scheme_machine machine = 0; count && machine < MACHINES; machine++) {
        query.machine = machine;
        query.n = tokens[count - 1];
        bool is_there = scheme_machine_measured(view, machine);
        for (size_t a = 0; is_there && a < sizeof others / sizeof *others; a++)
            say_of(facts, &finding, &others[a], &query);
        query.n = 1;
        if (is_there && tokens[count - 1] > 1)
            say_of(facts, &finding, &others[1], &query);
    }
}
