/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * What tokens cost, as section 6.1 of mixed-2-4-16 counts it: the energy of the devices that decode them, and the price of these over
 * the years that they are used,
 *
 *     runtime = devices x power x electricity                              $/h
 *     total   = devices x (price / (years x 8760) + power x electricity)   $/h                                   (11)
 *
 * Equation (11) is lost in the paper's text; this is what its prose says and what the numbers of its Table 3 follow from.
 *
 * Pure functions; NaN for an argument out of range. Money is in whatever unit the prices are, $ in the paper.
 */

/** What decodes: `devices` of the same kind, of which each draws power_w and costs price_per_h while it is owned. */
struct cost_system {
    double devices;      /* > 0 */
    double power_w;      /* of one, while it decodes; > 0 */
    double price_per_h;  /* of one, spread over the years that it is used; >= 0 */
    double tokens_per_s; /* of all together; > 0 */
};

/** How many times less than `base` the energy of a token costs with `system`; whatever the electricity costs. */
double cost_runtime_reduction(const struct cost_system *base, const struct cost_system *system);

/**
 * What the hardware is shared out by: the tokens, so that a faster system has fewer hours of it to pay for each; or the hours, which
 * is what Table 3 was computed with: both are owned for as long as `base` takes, and only the energy is that of the same tokens.
 */
enum cost_share { COST_BY_TOKEN, COST_BY_HOUR };

/** How many times less than `base` the same tokens cost with `system`, hardware included. electricity: per kWh. */
double cost_total_reduction(const struct cost_system *base, const struct cost_system *system, double electricity,
                            enum cost_share share);
