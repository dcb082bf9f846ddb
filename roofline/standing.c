/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/standing.h"

#include <math.h>

enum standing standing_of(const struct standing_facts *facts)
{
    if (facts->roof_fraction > STANDING_ABOVE)
        return STANDING_ABOVE_ROOF;
    double speed = facts->predicted_overlap_s / facts->fastest_s, least = STANDING_BELOW;
    if (!isfinite(speed)) {
        speed = facts->predicted_max_s / facts->fastest_s;
        least = STANDING_BELOW_OF_MAX;
    }
    if (!isfinite(speed))
        return STANDING_NOT_JUDGED;
    return speed < least ? STANDING_FAR_BELOW : STANDING_EXPECTED;
}
