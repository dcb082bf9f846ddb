/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * How long a team of uneven members takes over one matrix, by how the matrix is shared. The rate of a member is e_bw x
 * clock, bytes per second; where all together are limited by the memory, rates are what each reads while all read. The
 * sum of the rates is the best that any schedule attains (roofline_machine_bandwidth of roofline/ebw.h). Pure functions;
 * NaN for no members, or a rate, weight or size out of range.
 */
struct shares_team {
    const double *rate;   /* [members], bytes per second, > 0 */
    const double *weight; /* [members], > 0: what the shares are proportional to; NULL: equal shares */
    size_t members;
};

/** Sum of the rates, bytes per second. */
double shares_sum(const struct shares_team *team);

/** Seconds until the last member is done with its share: max over members of share / rate.  bytes >= 0 */
double shares_seconds(const struct shares_team *team, double bytes);

/**
 * The same where the last tail_bytes of the matrix are no share but drawn by the member that is done, in pieces as small as one
 * likes: the T at which sum of rate x max(0, T - share / rate) = tail_bytes, and no less than the longest share takes.
 * Pieces of a size add less than what is drawn at a time takes at the lowest rate.
 * @param bytes  of the whole matrix; 0 <= tail_bytes <= bytes
 */
double shares_seconds_with_tail(const struct shares_team *team, double bytes, double tail_bytes);
