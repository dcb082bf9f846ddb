/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/limit.h"

#include <math.h>
#include <stddef.h>

const char limit_neither[] = "neither";

const char *limit_of(const char *larger_term, double allowed_s, double measured_s)
{
    return larger_term && allowed_s / measured_s < LIMIT_EXPLAINED ? limit_neither : larger_term;
}

const char *limit_term_of_token(double read_s, double sync_s, double allowed_s)
{
    double computing_s = allowed_s - read_s - sync_s;
    if (!isfinite(computing_s) || read_s < 0 || sync_s < 0)
        return NULL;
    if (read_s >= fmax(sync_s, computing_s))
        return "memory";
    return sync_s > computing_s ? "synchronisation" : "computing";
}
