/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/gate/looks.h"

#include <math.h>

/** A guess from so few pairs is off by that much. */
static const double GIVE_UP_FACTOR = 2;

struct looks looks_of(size_t first_pairs, double alpha)
{
    return (struct looks){
        .count = LOOKS,
        .pairs = {first_pairs, 2 * first_pairs, 3 * first_pairs},
        .alpha = {alpha / 2, alpha / 4, alpha / 4},
    };
}

struct looks looks_once(size_t pairs, double alpha)
{
    return (struct looks){.count = 1, .pairs = {pairs}, .alpha = {alpha}};
}

bool looks_have_decided(const struct compare_outcome *outcome)
{
    return outcome->verdict != COMPARE_INCONCLUSIVE || outcome->reason == COMPARE_GIVEN_UP;
}

double looks_pairs_needed(const struct compare_outcome *outcome)
{
    double half = outcome->upper - outcome->effect;
    /* towards a pass the bound has to come down to the threshold, towards a failure the other one up above zero */
    double way = outcome->effect < outcome->threshold / 2 ? outcome->threshold - outcome->effect : outcome->effect;
    return isfinite(half) && way > 0 ? (double)outcome->base_blocks * (half / way) * (half / way) : NAN;
}

void looks_give_up(const struct looks *looks, struct compare_outcome *outcomes, size_t count)
{
    double most = GIVE_UP_FACTOR * (double)looks->pairs[looks->count - 1];
    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].reason == COMPARE_UNCERTAIN && looks_pairs_needed(&outcomes[i]) > most)
            outcomes[i].reason = COMPARE_GIVEN_UP;
    }
}

size_t looks_least_pairs(double alpha, size_t cells, bool once)
{
    if (once)
        return compare_least_blocks(alpha, cells, true);
    size_t first = 2;
    for (;; first++) {
        struct looks looks = looks_of(first, alpha);
        for (size_t i = 0; i < looks.count; i++) {
            if (compare_most_cells(looks.alpha[i], looks.pairs[i], looks.pairs[i], true) >= cells)
                return first;
        }
    }
}
