/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/questions.h"
#include "reports/select/claims.h"

void find_claims(struct facts *facts)
{
    const struct view *view = facts->view;
    struct finding *finding = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (!claims_is_as_published(view, row))
            continue;
        if (!finding && !(finding = finding_begin(facts, "The papers' claims")))
            return;
        double measured = view_median(row, "gamma"), claimed = view_number(row, "claimed"),
               count = view_number(row, "accumulators");
        say(finding, "%s%s: %.3g cycles claimed, %.3g measured with %.0f accumulator%s (%+.1f%%), bound by %s.",
            finding->text[0] ? "\n" : "", view_text(row, "name"), claimed, measured, count, count == 1 ? "" : "s",
            100 * (measured / claimed - 1), view_text(row, "bound"));
    }
}
