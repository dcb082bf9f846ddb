/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/budget.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Eleven days. */
static const double BUDGET_MOST_S = 1e6;

double budget_parse(const char *text)
{
    char *end;
    if (strcmp(text, "full") == 0)
        return INFINITY;
    if (!isdigit((unsigned char)text[0]))
        return NAN;
    double seconds = (double)strtoul(text, &end, 10);
    return *end || seconds < 1 || seconds > BUDGET_MOST_S ? NAN : seconds;
}

double budget_bytes(double budget_s)
{
    static const double LEAST = 1.4e6, BYTES_PER_S = 5.5e3;
    return LEAST + BYTES_PER_S * budget_s;
}

const char *budget_beyond(double budget_s, char *text, size_t size)
{
    snprintf(text, size, "not planned: beyond the budget of %.0f s, or the %.1f MB that its records may take", budget_s,
             1e-6 * budget_bytes(budget_s));
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
