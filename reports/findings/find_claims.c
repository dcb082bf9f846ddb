/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/finding.h"
#include "reports/select/papers/claims.h"

void find_claims(struct facts *facts)
{
    const struct view *view = facts->view;
    static const char *const headings[] = {
        "sequence", "#claimed, cycles", "#measured, cycles", "#difference, %", "#accumulators", "bound by", NULL};
    struct finding *finding = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (!claims_is_as_published(view, row))
            continue;
        if (!finding && !(finding = finding_begin(facts, FIGURE_PAPERS, "The γ that the papers claim")))
            return;
        finding_table(finding, headings, "Each with the number of accumulators that comes closest to the claim.");
        double measured = view_median(row, "gamma"), claimed = view_number(row, "claimed"),
               count = view_number(row, "accumulators");
        say_row(finding, "%s\t%.3g\t%.3g\t%+.1f\t%.0f\t%s\n", view_text(row, "name"), claimed, measured,
                100 * (measured / claimed - 1), count, view_text(row, "bound"));
    }
}
