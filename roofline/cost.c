/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/cost.h"

#include <math.h>
#include <stdbool.h>

static const double JOULES_A_KWH = 3.6e6, SECONDS_AN_HOUR = 3600;

static bool is_valid(const struct cost_system *system)
{
    return system->devices > 0 && system->power_w > 0 && system->price_per_h >= 0 && system->tokens_per_s > 0 &&
           isfinite(system->devices * system->power_w * system->price_per_h * system->tokens_per_s);
}

static double joules_per_token(const struct cost_system *system)
{
    return is_valid(system) ? system->devices * system->power_w / system->tokens_per_s : (double)NAN;
}

static double energy_of_token(const struct cost_system *system, double electricity)
{
    return electricity >= 0 ? joules_per_token(system) / JOULES_A_KWH * electricity : (double)NAN;
}

static double hardware_of_token(const struct cost_system *system, double tokens_per_s)
{
    return system->devices * system->price_per_h / SECONDS_AN_HOUR / tokens_per_s;
}

static double token_cost(const struct cost_system *system, double electricity)
{
    return energy_of_token(system, electricity) + hardware_of_token(system, system->tokens_per_s);
}

double cost_runtime_reduction(const struct cost_system *base, const struct cost_system *system)
{
    return joules_per_token(base) / joules_per_token(system);
}

double cost_total_reduction(const struct cost_system *base, const struct cost_system *system, double electricity,
                            enum cost_share share)
{
    const double owned = share == COST_BY_HOUR ? base->tokens_per_s : system->tokens_per_s;
    return token_cost(base, electricity) / (energy_of_token(system, electricity) + hardware_of_token(system, owned));
}
