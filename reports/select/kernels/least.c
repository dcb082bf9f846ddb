/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/least.h"

#include <string.h>

#include "reports/select/kernels/best.h"

static bool is_judged(const json_t *gamma)
{
    return view_flag(gamma, "best") && view_median(gamma, "gamma") > 0 && view_format_bits(gamma) > 0 &&
           !view_is_experiment(gamma);
}

struct asked {
    const char *format;
    bool published; /* else all */
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    return strcmp(view_text(row, "format"), asked->format) == 0 && (!asked->published || *view_origin(row)) &&
           is_judged(row);
}

bool least_is(const struct view *view, const json_t *gamma)
{
    struct asked asked = {view_text(gamma, "format"), false};
    if (reported_same(best_among(view, VIEW_GAMMA, is_asked, &asked, NULL).row, gamma))
        return true;
    asked.published = true;
    return reported_same(best_among(view, VIEW_GAMMA, is_asked, &asked, NULL).row, gamma);
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
