/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * Which machine of a fleet is off: the same quantity of machines that ought to be alike. Pure functions.
 *
 * A value is off if it is farther from the fleet's median than three median absolute deviations (unscaled) and than 1%
 * of the median, and its own 95% interval, where it has one, does not reach the median. Less than 1% is of no
 * consequence, and it is what remains to judge by where more than half of the machines agree to the last digit, so that
 * the deviation is 0. Of values that scatter normally, 10% lie beyond three deviations in a fleet of 4, 9% in one of 8,
 * 5% in one of 64, so a single value off says little; one machine with many says much.
 */

enum { FLEET_LEAST = 4 }; /* machines; fewer have no median that one of them does not move */

#define FLEET_DEVIATIONS     3.0
#define FLEET_LEAST_FRACTION 0.01

struct fleet_value {
    double value;   /* NaN: this machine did not measure it */
    double ci95[2]; /* NaN where it is not known */
};

struct fleet_spread {
    size_t n;           /* machines with a value */
    double median, mad; /* over them; NaN without one */
};

/** Median and median absolute deviation of the values there are. @return 0 or -ENOMEM */
int fleet_spread_of(const struct fleet_value *values, size_t count, struct fleet_spread *spread);

/** Whether a value is off; false of a fleet of less than FLEET_LEAST values, and of NaN. */
bool fleet_is_off(const struct fleet_value *value, const struct fleet_spread *spread);

/** How many deviations it lies from the median, with its sign; infinite where the deviation is 0, 0 at the median. */
double fleet_deviations(double value, const struct fleet_spread *spread);
