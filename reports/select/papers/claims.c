/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/claims.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Distance of the measured gamma from the claimed one, as a factor; NaN without a claim. */
static double distance(const json_t *gamma)
{
    double claimed = view_number(gamma, "claimed");
    return claimed > 0 ? fabs(log(view_median(gamma, "gamma") / claimed)) : (double)NAN;
}

bool claims_is_as_published(const struct view *view, const json_t *gamma)
{
    double own = distance(gamma);
    bool after = false; /* of equals, the first */
    if (!isfinite(own))
        return false;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *other = view->of[VIEW_GAMMA].rows[i];
        if (other == gamma)
            after = true;
        else if (strcmp(view_text(other, "name"), view_text(gamma, "name")) == 0 &&
                 (distance(other) < own || (distance(other) == own && !after)))
            return false;
    }
    return true;
}

const char *const published_isas[] = {"avx_vnni_int8", "avx_vnni", "avx2", NULL};

bool published_is(const json_t *record)
{
    if (strcmp(view_origin(record), "envelope") != 0)
        return false;
    for (size_t i = 0; published_isas[i]; i++) {
        if (strcmp(view_text(record, "isa"), published_isas[i]) == 0)
            return true;
    }
    return false;
}
