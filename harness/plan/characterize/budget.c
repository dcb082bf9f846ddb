/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/planner.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Eleven days. */
static const double BUDGET_MOST_S = 1e6;
static const double SIZE_MOST_MB = 1e6;

double budget_parse(const char *text)
{
    char *end;
    if (strcmp(text, "full") == 0)
        return INFINITY;
    if (!isdigit((unsigned char)text[0]))
        return NAN;
    double seconds = (double)strtoul(text, &end, 10) * (*end == 'h' ? 3600 : *end == 'm' ? 60 : 1);
    const char *rest = *end && strchr("smh", *end) ? end + 1 : end;
    return *rest || seconds < 1 || seconds > BUDGET_MOST_S ? NAN : seconds;
}

double budget_parse_size(const char *text)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return NAN;
    double megabytes = strtod(text, &end);
    return *end || !(megabytes > 0) || megabytes > SIZE_MOST_MB ? NAN : 1e6 * megabytes;
}

const char *budget_beyond(double budget_s, double bytes, char *text, size_t size)
{
    char limit[48] = "";
    if (isfinite(bytes))
        snprintf(limit, sizeof limit, ", or of %.3g MB", 1e-6 * bytes);
    if (isinf(budget_s))
        snprintf(text, size, "not planned: beyond the size of %.3g MB", 1e-6 * bytes);
    else
        snprintf(text, size, "not planned: beyond the budget of %.0f s%s", budget_s, limit);
    return text;
}

const char *budget_text(double budget_s, char *text, size_t size)
{
    if (isinf(budget_s))
        snprintf(text, size, "full");
    else
        snprintf(text, size, "%.0f s", budget_s);
    return text;
}
