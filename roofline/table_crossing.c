/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/table_crossing.h"

#include <math.h>

double table_crossing_sums(double cardinality, double group)
{
    return cardinality >= 2 && group >= 1 ? pow(cardinality, group) : NAN;
}

/* The point of most rows that takes no longer, or of fewest that takes longer; NULL: none. */
static const struct table_crossing_point *beside(const struct table_crossing_point *points, size_t count,
                                                 double seconds, bool longer)
{
    const struct table_crossing_point *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        if ((points[i].seconds > seconds) == longer &&
            (!nearest || (longer ? points[i].rows < nearest->rows : points[i].rows > nearest->rows)))
            nearest = &points[i];
    }
    return nearest;
}

double table_crossing_measured(const struct table_crossing_point *points, size_t count, double seconds, bool *within)
{
    const struct table_crossing_point *below = beside(points, count, seconds, false),
                                      *above = beside(points, count, seconds, true);
    for (size_t i = 0; i < count; i++) {
        if (!(points[i].rows > 0 && points[i].seconds > 0))
            return NAN;
    }
    if (within)
        *within = below && above;
    if (!(seconds > 0) || (!below && !above))
        return NAN;
    if (!below || !above) {
        const struct table_crossing_point *end = below ? below : above;
        return end->rows * seconds / end->seconds;
    }
    return below->rows + (above->rows - below->rows) * (seconds - below->seconds) / (above->seconds - below->seconds);
}
