/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/claims.h"
#include "reports/findings_parts.h"
#include "results/stats.h"

enum { ISAS = 32 };

/* The lowest usable gamma of a family on one ISA; NULL if none was measured. */
static const json_t *best_on(const struct view *view, const json_t *family, const char *isa)
{
    const json_t *best = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (!view_flag(row, "usable") || !view_same_family(row, family) || strcmp(view_text(row, "isa"), isa) != 0)
            continue;
        if (!best || view_median(row, "gamma") < view_median(best, "gamma"))
            best = row;
    }
    return best;
}

static size_t isas_of(const struct view *view, const char **isas)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const char *isa = view_text(view->of[VIEW_GAMMA].rows[i], "isa");
        size_t at = 0;
        while (at < count && strcmp(isas[at], isa) != 0)
            at++;
        if (at == count && count < ISAS)
            isas[count++] = isa;
    }
    return count;
}

/* How many times faster our fastest kernel of an ISA is than the paper's on the same shapes and teams, median. */
static double gemv_ratio(const struct facts *facts, const json_t *ours, const json_t *paper, const char *isa, bool cold,
                         size_t *count)
{
    double ratios[FINDINGS_SHAPES];
    *count = 0;
    for (size_t s = 0; s < facts->shape_count; s++) {
        for (size_t t = 0; t < facts->team_count && *count < FINDINGS_SHAPES; t++) {
            struct cell_query query = {.family = ours,
                                       .isa = isa,
                                       .m = facts->shapes[s].m,
                                       .k = facts->shapes[s].k,
                                       .threads = facts->teams[t],
                                       .cold = cold};
            const json_t *our_cell = cells_fastest(facts->view, &query);
            query.family = paper;
            const json_t *paper_cell = cells_fastest(facts->view, &query);
            double ratio = view_median(paper_cell, "time_s") / view_median(our_cell, "time_s");
            if (isfinite(ratio) && ratio > 0)
                ratios[(*count)++] = ratio;
        }
    }
    return stats_median(ratios, *count);
}

static void say_gemv(struct finding *finding, const struct facts *facts, const json_t *ours, const json_t *paper,
                     const char *isa)
{
    const char *glue = "; GEMV ";
    for (int cold = 1; cold >= 0; cold--) {
        size_t count;
        double ratio = gemv_ratio(facts, ours, paper, isa, cold, &count);
        if (!count)
            continue;
        say(finding, "%s%.2f× %s (%zu cell%s)", glue, ratio, cold ? "cold" : "warm", count, plural((unsigned)count));
        glue = ", ";
    }
}

/* One line an ISA that both were measured on. */
static void say_advantage(struct finding *finding, const struct facts *facts, const json_t *ours, const json_t *paper)
{
    const char *isas[ISAS];
    size_t count = isas_of(facts->view, isas);
    for (size_t i = 0; i < count; i++) {
        const json_t *our_best = best_on(facts->view, ours, isas[i]),
                     *paper_best = best_on(facts->view, paper, isas[i]);
        if (!our_best || !paper_best)
            continue;
        say(finding, "\n%.3g-bit, %s: %.2f cycles per vector (%s) against the paper's %.2f: %.2f× the speed",
            view_format_bits(ours), isas[i], view_median(our_best, "gamma"), view_text(our_best, "sequence"),
            view_median(paper_best, "gamma"), view_median(paper_best, "gamma") / view_median(our_best, "gamma"));
        say_gemv(finding, facts, ours, paper, isas[i]);
        say(finding, ".");
    }
    if (strcmp(view_text(ours, "isa"), view_text(paper, "isa")) != 0)
        say(finding, "\n%.3g-bit, the fastest here whatever the ISA: ours %.2f (%s), the paper's %.2f (%s).",
            view_format_bits(ours), view_median(ours, "gamma"), view_text(ours, "name"), view_median(paper, "gamma"),
            view_text(paper, "name"));
}

void find_advantage(struct facts *facts)
{
    struct finding *finding = NULL;
    for (size_t i = 0; i < facts->family_count; i++) {
        for (size_t j = 0; j < facts->family_count; j++) {
            const json_t *paper = facts->families[i], *ours = facts->families[j];
            if (!view_is_paper(paper) || view_is_paper(ours) || !view_same_width(paper, ours))
                continue;
            if (!finding) {
                if (!(finding = finding_begin(facts, "Against the paper's sequences")))
                    return;
                say(finding, "Each with its best number of accumulators, on the same ISA; GEMV: times of the fastest "
                             "kernels on the same shapes and teams, median.");
            }
            say_advantage(finding, facts, ours, paper);
        }
    }
}

void find_claims(struct facts *facts)
{
    const struct view *view = facts->view;
    struct finding *finding = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (!claims_is_as_published(view, row))
            continue;
        if (!finding && !(finding = finding_begin(facts, "The paper's figures")))
            return;
        double measured = view_median(row, "gamma"), claimed = view_number(row, "claimed"),
               count = view_number(row, "accumulators");
        say(finding, "%s%s: %.3g cycles claimed, %.3g measured with %.0f accumulator%s (%+.1f%%), bound by %s.",
            finding->text[0] ? "\n" : "", view_text(row, "name"), claimed, measured, count, count == 1 ? "" : "s",
            100 * (measured / claimed - 1), view_text(row, "bound"));
    }
}
