/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/quantities.h"

#include <math.h>
#include <stdio.h>

#include "results/records/record.h"

void print_column(double value, int width, int digits)
{
    if (isfinite(value))
        printf(" %*.*f", width, digits, value);
    else
        printf(" %*s", width, "-");
}

void print_median(const json_t *record, const char *field, double scale, int width, int digits)
{
    const json_t *value = json_object_get(record, field);
    struct summary summary = {.median = NAN};
    if (json_is_number(value))
        summary.median = json_number_value(value);
    else if (record_quantity_read(record, field, &summary))
        summary.median = NAN;
    print_column(scale * summary.median, width, digits);
}

void print_half_interval(const json_t *record, const char *field, double scale, int width, int digits)
{
    struct summary summary;
    bool known = record_quantity_read(record, field, &summary) == 0;
    print_column(known ? scale * (summary.ci95[1] - summary.ci95[0]) / 2 : (double)NAN, width, digits);
}

bool print_unless_few(const json_t *record, const char *field)
{
    struct summary summary = {0};
    if (!record_quantity_read(record, field, &summary))
        return true;
    printf("  %zu of %zu samples kept, %d needed\n", summary.n, summary.n + summary.rejected, STATS_KEPT_LEAST);
    return false;
}

void print_few_remedy(size_t few)
{
    if (few)
        printf("\n%zu row%s no result: at least %d valid samples are needed. Take more with\n--samples; `kneepoint "
               "selftest` shows what disturbs this machine.\n",
               few, few == 1 ? " has" : "s have", STATS_KEPT_LEAST);
}
