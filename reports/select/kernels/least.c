/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/least.h"

#include <string.h>

static bool is_judged(const json_t *gamma)
{
    return view_flag(gamma, "best") && view_median(gamma, "gamma") > 0 && view_format_bits(gamma) > 0 &&
           !view_is_experiment(gamma);
}

/* Of its format, all or only what is published. */
static bool is_least(const struct view *view, const json_t *gamma, bool published)
{
    if (published && !*view_origin(gamma))
        return false;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *other = view->of[VIEW_GAMMA].rows[i];
        if (is_judged(other) && strcmp(view_text(other, "format"), view_text(gamma, "format")) == 0 &&
            (!published || *view_origin(other)) && view_median(other, "gamma") < view_median(gamma, "gamma"))
            return false;
    }
    return true;
}

bool least_is(const struct view *view, const json_t *gamma)
{
    return is_judged(gamma) && (is_least(view, gamma, false) || is_least(view, gamma, true));
}

bool least_is_named(const struct view *view, const char *sequence)
{
    bool judged = false;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (strcmp(view_text(row, "name"), sequence) != 0)
            continue;
        if (least_is(view, row))
            return true;
        judged = judged || is_judged(row);
    }
    return !judged;
}
