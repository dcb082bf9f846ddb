/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/claims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/draw/carried.h"
#include "roofline/interval.h"

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

static json_t *open_paper(const char *paper)
{
    char path[128];
    snprintf(path, sizeof path, "roofline/papers/%s.json", paper);
    return json_loads(carried_text(path), 0, NULL);
}

static double nominal(const json_t *printed)
{
    struct figure_printed figure;
    const char *text = json_string_value(printed), *rest;
    return text && interval_parse(text, &figure, &rest) == 0 ? figure.nominal : (double)NAN;
}

json_t *claims_values(const char *paper)
{
    json_t *file = open_paper(paper), *values = json_object_get(file, "values");
    json_incref(values);
    json_decref(file);
    return values;
}

double claims_value(const json_t *values, const char *column, size_t row)
{
    const json_t *list = json_object_get(values, column);
    if (json_is_object(list)) /* with a unit */
        list = json_object_get(list, "values");
    return nominal(json_array_get(list, row));
}

double claims_stated(const char *paper, const char *id)
{
    json_t *file = open_paper(paper), *claim;
    double stated = NAN;
    size_t i;
    json_array_foreach(json_object_get(file, "claims"), i, claim)
    {
        if (strcmp(view_text(claim, "id"), id) == 0)
            stated = nominal(json_object_get(claim, "stated"));
    }
    json_decref(file);
    return stated;
}
