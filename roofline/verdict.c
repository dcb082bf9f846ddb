/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/verdict.h"

#include <math.h>
#include <string.h>

static const char *const names[VERDICTS] = {
    [VERDICT_HOLDS] = "holds", [VERDICT_HOLDS_WITH] = "holds-with", [VERDICT_DIFFERS] = "differs"};

enum verdict verdict_of(const struct verdict_reading *readings, size_t count, size_t *which)
{
    for (*which = 0; *which < count; ++*which) {
        if (interval_meets(readings[*which].recomputed, readings[*which].stated))
            return *which == 0 ? VERDICT_HOLDS : VERDICT_HOLDS_WITH;
    }
    *which = 0;
    return VERDICT_DIFFERS;
}

double verdict_difference(double recomputed, double stated)
{
    return stated != 0 ? recomputed / stated - 1 : NAN;
}

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}

enum verdict verdict_named(const char *name)
{
    unsigned verdict = 0;
    while (verdict < VERDICTS && strcmp(names[verdict], name) != 0)
        verdict++;
    return (enum verdict)verdict;
}
