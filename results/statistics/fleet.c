/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/fleet.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

int fleet_spread_of(const struct fleet_value *values, size_t count, struct fleet_spread *spread)
{
    *spread = (struct fleet_spread){.median = NAN, .mad = NAN};
    double *there = need(count + 1, sizeof *there);
    if (!there)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i].value))
            there[spread->n++] = values[i].value;
    }
    struct summary summary;
    int error = stats_summarize(there, spread->n, &summary);
    free(there);
    spread->median = summary.median;
    spread->mad = summary.mad;
    return error;
}

bool fleet_is_off(const struct fleet_value *value, const struct fleet_spread *spread)
{
    if (spread->n < FLEET_LEAST || !isfinite(value->value))
        return false;
    double distance = fabs(value->value - spread->median);
    if (!(distance > FLEET_DEVIATIONS * spread->mad && distance > FLEET_LEAST_FRACTION * fabs(spread->median)))
        return false;
    return !(value->ci95[0] <= spread->median && spread->median <= value->ci95[1]);
}

double fleet_deviations(double value, const struct fleet_spread *spread)
{
    double distance = value - spread->median;
    return distance == 0 ? 0 : distance / spread->mad;
}
