/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/claim_verdict.h"

#include <math.h>
#include <string.h>

static const char *const names[CLAIM_VERDICTS] = {
    [CLAIM_HOLDS] = "holds",
    [CLAIM_HOLDS_WITH] = "holds-with",
    [CLAIM_UNDECIDED] = "undecided",
    [CLAIM_DIFFERS] = "differs",
};

/* Whether the limit, if what is stated is one, lies between the ends of what is recomputed. */
static bool straddles(struct interval recomputed, struct interval stated)
{
    return (isinf(stated.high) && recomputed.low < stated.low) || (isinf(stated.low) && recomputed.high > stated.high);
}

enum claim_verdict claim_verdict_of(const struct claim_reading *readings, size_t count, size_t *which)
{
    for (*which = 0; *which < count; ++*which) {
        struct interval recomputed = readings[*which].recomputed, stated = readings[*which].stated;
        if (!interval_meets(recomputed, stated))
            continue;
        if (straddles(recomputed, stated))
            return CLAIM_UNDECIDED;
        return *which == 0 ? CLAIM_HOLDS : CLAIM_HOLDS_WITH;
    }
    *which = 0;
    return CLAIM_DIFFERS;
}

double claim_difference(double recomputed, double stated)
{
    return stated != 0 ? recomputed / stated - 1 : NAN;
}

const char *claim_verdict_name(enum claim_verdict verdict)
{
    return names[verdict];
}

enum claim_verdict claim_verdict_named(const char *name)
{
    unsigned verdict = 0;
    while (verdict < CLAIM_VERDICTS && strcmp(names[verdict], name) != 0)
        verdict++;
    return (enum claim_verdict)verdict;
}
