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

double cost_joules_per_token(const struct cost_system *system)
{
    return is_valid(system) ? system->devices * system->power_w / system->tokens_per_s : (double)NAN;
}

double cost_energy_of_token(const struct cost_system *system, double electricity)
{
    return electricity >= 0 ? cost_joules_per_token(system) / JOULES_A_KWH * electricity : (double)NAN;
}

static double hardware_of_token(const struct cost_system *system, double tokens_per_s)
{
    return system->devices * system->price_per_h / SECONDS_AN_HOUR / tokens_per_s;
}

double cost_of_token(const struct cost_system *system, double electricity)
{
    return cost_energy_of_token(system, electricity) + hardware_of_token(system, system->tokens_per_s);
}

double cost_runtime_reduction(const struct cost_system *base, const struct cost_system *system)
{
    return cost_joules_per_token(base) / cost_joules_per_token(system);
}

double cost_total_reduction(const struct cost_system *base, const struct cost_system *system, double electricity,
                            enum cost_share share)
{
    const double owned = share == COST_BY_HOUR ? base->tokens_per_s : system->tokens_per_s;
    return cost_of_token(base, electricity) /
           (cost_energy_of_token(system, electricity) + hardware_of_token(system, owned));
}
