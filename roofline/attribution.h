/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

/**
 * Why one call takes longer than another: how much of the ratio of their times is due to each number of the overlap
 * model (roofline/overlap.h), T = start + Tm + Tc - omega min(Tm, Tc), Tm = bytes / roof, Tc = gamma vectors / clock.
 *
 * All in logarithms of ratios, which add up. A number's part is what exchanging it alone does to T, on average over all
 * orders in which the numbers could be exchanged (Shapley's value), so that the parts add up to what the model says; what
 * it does not say of the measured effect is unexplained.
 *
 * omega is what a side's own time leaves, between 0 and 1, given the other numbers; beyond these it explains nothing, and
 * the rest stays unexplained. Pure functions.
 */
enum attribution_term {
    ATTRIBUTION_GAMMA,
    ATTRIBUTION_CLOCK,
    ATTRIBUTION_ROOF,
    ATTRIBUTION_OMEGA,
    ATTRIBUTION_START, /* fixed cost of a call: its barrier */
    ATTRIBUTION_TERMS
};
const char *attribution_term_name(enum attribution_term term); /* "gamma", "clock", "roof", "omega", "start" */

/** One side. NaN: not known; a number that one side does not know is taken for unchanged, or without any left out. */
struct attribution_side {
    double time_s;
    double gamma; /* core cycles per output vector */
    double clock_hz;
    double roof_bytes_per_s; /* of one core, of the level that the weights lie in */
    double start_s;
};

/** What one core has to do, > 0. */
struct attribution_work {
    double bytes, vectors;
};

struct attribution {
    double effect; /* logarithm of the time ratio head / base; the sum of all parts */
    bool known[ATTRIBUTION_TERMS];
    double part[ATTRIBUTION_TERMS]; /* logarithms; 0 where not known */
    double unexplained;
};

/** @return whether anything can be said: both times, and gamma or the roof with what goes with them */
bool attribution_of(const struct attribution_work *work, const struct attribution_side *base,
                    const struct attribution_side *head, struct attribution *attribution);
