/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/stored_confirmation.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/verdict/verdict_words.h"
#include "results/text/refuse.h"

int stored_confirmation_make(const struct stored_confirmation *again, struct comparison *comparison, char *why,
                             size_t size)
{
    struct comparison fresh;
    const char **names = calloc(comparison->count + 1, sizeof *names);
    if (!names)
        return refuse(-ENOMEM, why, size, "no memory");
    const struct comparison_request request = {
        .patterns = names,
        .pattern_count = comparison_suspects(comparison, names),
        .seed = comparison->rule.seed + 1,
        .layout = comparison->layout, /* what was known of this machine at first, where the fresh BASE does not say */
    };
    int error = comparison_make(again->base, again->head, &request, &fresh);
    free(names);
    if (error)
        return refuse(error, why, size, "no memory");
    const struct compare_report report = {.comparison = &fresh, .allowed = again->allowed, .confirmation = ""};
    if (verdict_incomparable(&report, why, size))
        error = -EXDEV;
    else
        compare_confirm(comparison->outcome, comparison->count, again->confirming, fresh.outcome, fresh.count);
    comparison_release(&fresh);
    return error;
}
