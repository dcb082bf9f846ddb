/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

/**
 * What a printed number leaves open. 6.4 in print stands for anything that rounds to it, 6.35 to 6.45, and a formula
 * over such numbers has a range too. Pure functions; ends may be infinite; NaN ends mean that there is no answer.
 *
 * Each operation gives the exact range of its operands. A formula in which an uncertain number stands twice may give a
 * wider one, since the two are then taken to vary apart.
 */
struct interval {
    double low, high;
};

/** A number that is exact: [value, value]. */
struct interval interval_point(double value);

struct interval interval_add(struct interval a, struct interval b);
struct interval interval_subtract(struct interval a, struct interval b);
struct interval interval_multiply(struct interval a, struct interval b);
/** NaN where b contains 0. */
struct interval interval_divide(struct interval a, struct interval b);
struct interval interval_min(struct interval a, struct interval b);
struct interval interval_max(struct interval a, struct interval b);

/** The range of a function that never falls (or never rises: then give it false) over an interval. */
struct interval interval_map(double (*function)(double), struct interval a, bool rising);

/** Raised to a power, for bases of 0 and more and exponents of 0 and more; else NaN. */
struct interval interval_power(struct interval base, struct interval exponent);

/** Whether low <= high, so that there is an answer; false where an end is NaN. */
bool interval_is_valid(struct interval a);

/**
 * Whether both can be true: they share more than an end. A number on the border of two roundings belongs to one of
 * them, so 97 and 98, which share 97.5, do not meet. A point meets an interval also at its end.
 */
bool interval_meets(struct interval a, struct interval b);

/** A number as a source states it in print. */
struct stated_value {
    double nominal;        /* as printed */
    struct interval range; /* what its rounding leaves open */
};

/**
 * Read the number that a text begins with:
 *
 *     6.40    rounded: half a unit of its last digit either way
 *     =24     exact: a count, or a constant of a formula
 *     ~30     approximate: half a unit of its last digit that is not 0, so 25 to 35
 *     >=4     at least; <=100 at most: no bound on the other side
 *
 * @param rest  what follows the number, blanks skipped
 * @return 0, or -EINVAL if it begins with none
 */
int stated_value_parse(const char *text, struct stated_value *value, const char **rest);
