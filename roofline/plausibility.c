/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/plausibility.h"

#include <math.h>

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
