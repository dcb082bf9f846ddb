/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/energy.h"

#include <math.h>
#include <stdio.h>

#include "results/records/record.h"
#include "results/statistics/stats.h"

static double median(const json_t *record, const char *field)
{
    struct summary summary;
    return record_quantity_read(record, field, &summary) ? (double)NAN : stats_stated(&summary);
}

const char *energy_text(const json_t *record, char *text, size_t size)
{
    char idle[64] = "";
    double joules = median(record, "joules_per_token"), watts = median(record, "package_idle_w");
    const char *of = isfinite(joules) ? "token" : "call";
    if (!isfinite(joules))
        joules = median(record, "package_energy_j");
    if (isfinite(watts))
        snprintf(idle, sizeof idle, ", which take %.3g W when idle", watts);
    text[0] = '\0';
    if (isfinite(joules) && joules >= 0.1)
        snprintf(text, size, "  %.3g J a %s of all packages%s", joules, of, idle);
    else if (isfinite(joules))
        snprintf(text, size, "  %.3g mJ a %s of all packages%s", 1e3 * joules, of, idle);
    return text;
}
