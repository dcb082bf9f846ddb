/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/shares.h"

#include <math.h>
#include <stdbool.h>

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

static bool in_range(const struct shares_team *team)
{
    for (size_t i = 0; i < team->members; i++) {
        if (!is_positive(team->rate[i]) || (team->weight && !is_positive(team->weight[i])))
            return false;
    }
    return team->members > 0;
}

static double weights_sum(const struct shares_team *team)
{
    double sum = 0;
    for (size_t i = 0; i < team->members; i++)
        sum += team->weight ? team->weight[i] : 1;
    return sum;
}

/** When member i is done with its share of this many bytes. */
static double done_at(const struct shares_team *team, size_t i, double bytes, double weights)
{
    return bytes * (team->weight ? team->weight[i] : 1) / weights / team->rate[i];
}

double shares_sum(const struct shares_team *team)
{
    double sum = in_range(team) ? 0 : NAN;
    for (size_t i = 0; i < team->members; i++)
        sum += team->rate[i];
    return sum;
}

double shares_seconds(const struct shares_team *team, double bytes)
{
    return shares_seconds_with_tail(team, bytes, 0);
}

/** Bytes of the tail that are drawn until a time by those who are done with their shares. */
static double drawn_until(const struct shares_team *team, double seconds, double share_bytes, double weights)
{
    double drawn = 0;
    for (size_t i = 0; i < team->members; i++)
        drawn += team->rate[i] * fmax(0, seconds - done_at(team, i, share_bytes, weights));
    return drawn;
}

double shares_seconds_with_tail(const struct shares_team *team, double bytes, double tail_bytes)
{
    if (!in_range(team) || !isfinite(bytes) || bytes < 0 || !(tail_bytes >= 0) || tail_bytes > bytes)
        return NAN;
    double share_bytes = bytes - tail_bytes, weights = weights_sum(team), longest_s = 0;
    for (size_t i = 0; i < team->members; i++)
        longest_s = fmax(longest_s, done_at(team, i, share_bytes, weights));
    /* from there on all draw: what the tail still holds then, at the sum of the rates */
    double left = tail_bytes - drawn_until(team, longest_s, share_bytes, weights);
    return longest_s + fmax(0, left) / shares_sum(team);
}
