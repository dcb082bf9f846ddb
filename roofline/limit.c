/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/limit.h"

#include <math.h>
#include <stddef.h>

const char limit_neither[] = "neither";

const char *limit_of(const char *larger_term, double allowed_s, double measured_s)
{
    return larger_term && allowed_s / measured_s < LIMIT_EXPLAINED ? limit_neither : larger_term;
}

const char *limit_term_of_token(double read_s, double sync_s, double allowed_s)
{
    double computing_s = allowed_s - read_s - sync_s;
    if (!isfinite(computing_s) || read_s < 0 || sync_s < 0)
        return NULL;
    if (read_s >= fmax(sync_s, computing_s))
        return "memory";
    return sync_s > computing_s ? "synchronisation" : "computing";
}

enum plausibility plausibility_of(const struct plausibility_facts *facts)
{
    if (facts->roof_fraction > PLAUSIBILITY_ABOVE)
        return PLAUSIBILITY_ABOVE_ROOF;
    double speed = facts->predicted_overlap_s / facts->fastest_s, least = PLAUSIBILITY_BELOW;
    if (!isfinite(speed)) {
        speed = facts->predicted_max_s / facts->fastest_s;
        least = PLAUSIBILITY_BELOW_OF_MAX;
    }
    if (!isfinite(speed))
        return PLAUSIBILITY_NOT_JUDGED;
    return speed < least ? PLAUSIBILITY_FAR_BELOW : PLAUSIBILITY_EXPECTED;
}
