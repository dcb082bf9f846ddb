/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/attribution.h"

#include <math.h>

#include "roofline/overlap.h"

/** The numbers of one side, or some of each, in the order of enum attribution_term. */
struct numbers {
    double of[ATTRIBUTION_TERMS];
};

const char *attribution_term_name(enum attribution_term term)
{
    static const char *const name[] = {"gamma", "clock", "roof", "omega", "start"};
    return name[term];
}

static bool is_known(double number)
{
    return isfinite(number) && number > 0;
}

static double reading_s(const struct attribution_work *work, const struct numbers *numbers)
{
    return is_known(numbers->of[ATTRIBUTION_ROOF]) ? work->bytes / numbers->of[ATTRIBUTION_ROOF] : 0;
}

static double computing_s(const struct attribution_work *work, const struct numbers *numbers)
{
    double gamma = numbers->of[ATTRIBUTION_GAMMA], clock_hz = numbers->of[ATTRIBUTION_CLOCK];
    return is_known(gamma) && is_known(clock_hz) ? gamma * work->vectors / clock_hz : 0;
}

static double time_of(const struct attribution_work *work, const struct numbers *numbers)
{
    return numbers->of[ATTRIBUTION_START] +
           overlap_time(reading_s(work, numbers), computing_s(work, numbers), numbers->of[ATTRIBUTION_OMEGA]);
}

/** What the time of a side leaves for omega; 1 where reading and computing are not both known. */
static double omega_of(const struct attribution_work *work, const struct numbers *numbers, double time_s)
{
    double reading = reading_s(work, numbers), computing = computing_s(work, numbers);
    double shorter = fmin(reading, computing);
    if (!(shorter > 0))
        return 1;
    return fmin(1, fmax(0, (reading + computing - (time_s - numbers->of[ATTRIBUTION_START])) / shorter));
}

/** Numbers of a side, of the other where it does not know one. */
static struct numbers numbers_of(const struct attribution_side *side, const struct attribution_side *other)
{
    return (struct numbers){{
        [ATTRIBUTION_GAMMA] = is_known(side->gamma) ? side->gamma : other->gamma,
        [ATTRIBUTION_CLOCK] = is_known(side->clock_hz) ? side->clock_hz : other->clock_hz,
        [ATTRIBUTION_ROOF] = is_known(side->roof_bytes_per_s) ? side->roof_bytes_per_s : other->roof_bytes_per_s,
        [ATTRIBUTION_START] = is_known(side->start_s) && is_known(other->start_s) ? side->start_s : 0,
    }};
}

/** k! (n - 1 - k)! / n!: the share of all orders in which just these k terms of n come before another. */
static double share_of_orders(int before)
{
    double share = 1.0 / ATTRIBUTION_TERMS;
    for (int i = 1; i <= before; i++)
        share *= (double)i / (ATTRIBUTION_TERMS - i);
    return share;
}

static double part_of(const struct attribution_work *work, const struct numbers *base, const struct numbers *head,
                      int term)
{
    double part = 0;
    for (unsigned set = 0; set < 1u << ATTRIBUTION_TERMS; set++) {
        if (set & 1u << term)
            continue;
        struct numbers without = *base;
        for (int i = 0; i < ATTRIBUTION_TERMS; i++)
            without.of[i] = set & 1u << i ? head->of[i] : base->of[i];
        struct numbers with = without;
        with.of[term] = head->of[term];
        part += share_of_orders(__builtin_popcount(set)) * log(time_of(work, &with) / time_of(work, &without));
    }
    return part;
}

bool attribution_of(const struct attribution_work *work, const struct attribution_side *base,
                    const struct attribution_side *head, struct attribution *attribution)
{
    struct numbers before = numbers_of(base, head), after = numbers_of(head, base);
    bool reads = is_known(before.of[ATTRIBUTION_ROOF]) && is_known(work->bytes);
    bool computes =
        is_known(before.of[ATTRIBUTION_GAMMA]) && is_known(before.of[ATTRIBUTION_CLOCK]) && is_known(work->vectors);
    if (!is_known(base->time_s) || !is_known(head->time_s) || !(reads || computes))
        return false;
    before.of[ATTRIBUTION_OMEGA] = omega_of(work, &before, base->time_s);
    after.of[ATTRIBUTION_OMEGA] = omega_of(work, &after, head->time_s);
    *attribution = (struct attribution){
        .effect = log(head->time_s / base->time_s),
        .known = {[ATTRIBUTION_GAMMA] = is_known(base->gamma) && is_known(head->gamma),
                  [ATTRIBUTION_CLOCK] = is_known(base->clock_hz) && is_known(head->clock_hz),
                  [ATTRIBUTION_ROOF] = is_known(base->roof_bytes_per_s) && is_known(head->roof_bytes_per_s),
                  [ATTRIBUTION_OMEGA] = reads && computes,
                  [ATTRIBUTION_START] = is_known(base->start_s) && is_known(head->start_s)},
    };
    attribution->unexplained = attribution->effect;
    for (int term = 0; term < ATTRIBUTION_TERMS; term++) {
        attribution->part[term] = attribution->known[term] ? part_of(work, &before, &after, term) : 0;
        attribution->unexplained -= attribution->part[term];
    }
    return true;
}
